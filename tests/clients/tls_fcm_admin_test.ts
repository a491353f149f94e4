import { assertEquals } from "@std/assert";
import { requireNode, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

/**
 * Simulates a name that resolves to this machine, as in a compose network: the SDK has its host and
 * port 443 built in, and opens its own HTTP/2 session. The SDK is unmodified.
 */
const NETWORK = `
import http2 from "node:http2";
import { syncBuiltinESMExports } from "node:module";
import tls from "node:tls";
const { connect } = http2;
http2.connect = (authority, options, listener) => {
  const { hostname } = new URL(authority);
  const createConnection = () => tls.connect({
    host: "127.0.0.1", port: Number(process.env.PORT), servername: hostname, ALPNProtocols: ["h2"],
  });
  return connect(authority, { ...options, createConnection }, listener);
};
syncBuiltinESMExports();
`;

Deno.test("firebase-admin sends many messages over HTTP/2, its default transport", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using trusted = await startTrusted();
  const { service, caFile } = trusted;
  const script = `${NETWORK}
  const { initializeApp } = await import("firebase-admin/app");
  const { getMessaging } = await import("firebase-admin/messaging");
  const credential = { getAccessToken: async () => ({ access_token: "any", expires_in: 3600 }) };
  const messaging = getMessaging(initializeApp({ projectId: "demo", credential }));
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const messages = Array.from({ length: 50 }, (_, n) => ({
      token: "device-" + round + "-" + n, data: { n: String(n), text: "x".repeat(n * 10) },
    }));
    messages[7] = { token: "large", data: { text: "x".repeat(5000) } };
    const { successCount, responses } = await messaging.sendEach(messages);
    rounds.push([successCount, responses[7].error?.code]);
  }
  const many = await messaging.sendEachForMulticast({ tokens: ["a", "b"], data: { a: "1" } });
  console.log(JSON.stringify({ rounds, many: many.successCount }));
  process.exit(0);`;
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", script], {
    cwd: project.folder,
    env: { PORT: String(service.ingress.port), NODE_EXTRA_CA_CERTS: caFile },
    timeoutMs: 60_000,
  });
  assertEquals(JSON.parse(stdout), {
    rounds: Array(3).fill([49, "messaging/invalid-argument"]),
    many: 2,
  });
  const events = service.events.list({ provider: "push1" });
  assertEquals(events.length, 149);
  assertEquals(new Set(events.map(({ raw }) => raw.http_version)), new Set(["2"]));
  assertEquals(service.log, []);
});
