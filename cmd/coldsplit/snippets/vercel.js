// Vercel, a route handler or an edge function (web Request and Response).
async function timed(request, beforeForward, upstreamURL) {
  const start = performance.now();
  await beforeForward(request); // whatever you wait for before one byte goes on
  const forwarded = performance.now();
  const answer = await fetch(upstreamURL, { method: request.method, headers: request.headers, body: request.body, duplex: "half" });
  const upstream = performance.now() - forwarded;
  const headers = new Headers(answer.headers);
  headers.delete("content-encoding"); // fetch has unpacked the body
  headers.delete("content-length");
  headers.append("Server-Timing", `pre_forward;dur=${(forwarded - start).toFixed(3)}, upstream;dur=${upstream.toFixed(3)}`);
  return new Response(answer.body, { status: answer.status, headers });
}
