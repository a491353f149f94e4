/** The smallest HTTP server: the baseline for the start of the program. */
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`ingress http://127.0.0.1:${port}`),
}, () => new Response("hello"));
await server.finished;
