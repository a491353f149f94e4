/** The platform's own server with a handler that does nothing but read: what captures are compared with. */
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`ingress http://127.0.0.1:${port}`),
}, async (request) => {
  await request.bytes();
  return new Response(null, { status: 202 });
});
await server.finished;
