// Node.js: a handler that says how long it waited before it forwarded, and for the answer's head.
function timed(upstreamURL, beforeForward) {
  return async (request, response) => {
    const start = performance.now();
    await beforeForward(request); // whatever you wait for before one byte goes on
    const forwarded = performance.now();
    const onward = http.request(new URL(request.url, upstreamURL), { method: request.method }, (answer) => {
      const upstream = performance.now() - forwarded;
      response.writeHead(answer.statusCode, {
        ...answer.headers,
        "server-timing": `pre_forward;dur=${(forwarded - start).toFixed(2)}, upstream;dur=${upstream.toFixed(2)}`,
      });
      answer.pipe(response);
    });
    onward.on("error", () => { response.statusCode = 502; response.end(); });
    request.pipe(onward);
  };
}
