/** The platform's server with a handler that only reads the body: the baseline for captures. */
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`ingress http://127.0.0.1:${port}`),
}, async (request) => {
  await request.bytes();
  return new Response(null, { status: 202 });
});
await server.finished;
