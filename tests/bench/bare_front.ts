/**
 * The HTTP server of the program with a handler that only reads the body: the baseline for
 * captures.
 */
import { readBody } from "../../core/http/server/body/body.ts";
import { openHttpServer } from "../../core/http/server/server.ts";
import { silentLogger } from "../../core/log.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";

const server = await openHttpServer({
  hostname: "127.0.0.1",
  port: 0,
  h2c: true,
  tls: createTlsIdentity(),
  log: silentLogger,
  onRefused: () => {},
  async handler(call) {
    await readBody(call, { maxBytes: 1_000_000 });
    return new Response(null, { status: 202 });
  },
});
console.log(`ingress http://127.0.0.1:${server.port}`);
