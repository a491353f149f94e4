/** The smallest HTTP server: what the start of the program is compared with. */
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`ingress http://127.0.0.1:${port}`),
}, () => new Response("hello"));
await server.finished;
