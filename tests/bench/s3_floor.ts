/**
 * The minimal object store on this platform: `Deno.serve` that reads each body, computes its MD5
 * for the ETag, and stores nothing; every GET returns the same bytes.
 */
import { createHash } from "node:crypto";

const sent = new Map<string, Uint8Array<ArrayBuffer>>();

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`ingress http://127.0.0.1:${port}`),
  // A load ends in the middle of a body.
  onError: () => new Response(null, { status: 500 }),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (request.method === "GET") return new Response(sent.get(pathname));
  const hash = createHash("md5");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of request.body ?? []) {
    hash.update(chunk);
    if (!sent.has(pathname)) chunks.push(chunk);
  }
  if (!sent.has(pathname)) sent.set(pathname, await new Blob(chunks).bytes());
  return new Response(null, { headers: { etag: `"${hash.digest("hex")}"` } });
});
await server.finished;
