// AWS Lambda behind a function URL, an API Gateway HTTP API or an ALB (Node.js).
async function timed(event, beforeForward, upstreamURL) {
  const start = performance.now();
  await beforeForward(event); // whatever you wait for before one byte goes on
  const forwarded = performance.now();
  const answer = await fetch(upstreamURL);
  const upstream = performance.now() - forwarded; // to the upstream's head, not its body
  return {
    statusCode: answer.status,
    headers: {
      "content-type": answer.headers.get("content-type") ?? "application/octet-stream",
      "server-timing": `pre_forward;dur=${(forwarded - start).toFixed(3)}, upstream;dur=${upstream.toFixed(3)}`,
    },
    body: Buffer.from(await answer.arrayBuffer()).toString("base64"),
    isBase64Encoded: true,
  };
}
