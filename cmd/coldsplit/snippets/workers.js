// Cloudflare Workers. Its clock stands still between I/O, so both figures are whole waits for others.
async function timed(request, env, beforeForward, upstreamURL) {
  const start = Date.now();
  await beforeForward(request, env); // whatever you wait for before one byte goes on
  const forwarded = Date.now();
  const answer = await fetch(upstreamURL, request);
  const upstream = Date.now() - forwarded;
  const response = new Response(answer.body, answer);
  response.headers.append("Server-Timing", `pre_forward;dur=${forwarded - start}, upstream;dur=${upstream}`);
  return response;
}
