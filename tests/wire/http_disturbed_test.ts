/** Network faults of responses, over HTTP/1, HTTP/2 and TLS. */
import { assert, assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { requestHttp } from "../../core/net/http_client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const PATH = "/v3/mail/send";
const BODY = JSON.stringify({
  personalizations: [{ to: [{ email: "ada@example.org" }] }],
  from: { email: "shop@example.com" },
  subject: "Hello",
  content: [{ type: "text/plain", value: "Hello" }],
});

const start = (): Promise<TestService> => startService({ plugins: [mail] });

const REQUEST = new TextEncoder().encode(
  `POST ${PATH} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

/** Sends a mail in cleartext; returns everything received, with its timing. */
async function talk(
  port: number,
  connect: () => Promise<Deno.Conn> = () => Deno.connect({ hostname: "127.0.0.1", port }),
): Promise<{ text: string; end: "closed" | "cut" | "reset" }> {
  using conn = await connect();
  await conn.write(REQUEST);
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  try {
    for (;;) {
      const count = await conn.read(buffer);
      if (count === null) return { text, end: "closed" };
      text += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
  } catch (error) {
    if (error instanceof Deno.errors.UnexpectedEof) return { text, end: "cut" };
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    return { text, end: "reset" };
  }
}

async function overTls(service: TestService): Promise<() => Promise<Deno.Conn>> {
  const ca = await (await fetch(`${service.api.url}/api/v1/tls/ca.pem`)).text();
  const { port } = service.ingress;
  return () => Deno.connectTls({ hostname: "localhost", port, caCerts: [ca] });
}

Deno.test("a truncated answer has the configured number of bytes, and the request is captured", async () => {
  await using service = await start();
  const { port } = service.ingress;
  using _ = await service.fault({ on: "mail/mail2", outcome: "truncate", with: { bytes: 30 } });
  for (const connect of [undefined, await overTls(service)]) {
    const { text } = await talk(port, connect);
    assertEquals(text.length, 30);
    assertMatch(text, /^HTTP\/1\.1 202 Accepted\r\n/);
  }
  const events = service.list("mail.message");
  assertEquals(events.map(({ meta }) => meta.fault), ["truncate", "truncate"]);
});

Deno.test("a slow answer arrives whole, at the configured rate", async () => {
  await using service = await start();
  const { port } = service.ingress;
  const outcome = { outcome: "slow", with: { bytes_per_second: 2000 } };
  using fault = await service.fault({ on: "mail/mail2", ...outcome });
  const beganMs = performance.now();
  const { text } = await talk(port);
  assertStringIncludes(text, "Connection: close");
  assertMatch(text, /\r\n\r\n$/);
  assert(performance.now() - beganMs > 1000 * (text.length - 200) / 2000);
  const { status } = await requestHttp(`${service.ingress.url}${PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: BODY,
    http2: true,
    timeoutMs: 20_000,
  });
  assertEquals([status, fault.hits, service.events.count("mail")], [202, 2, 2]);
});

Deno.test("a closed connection gets no answer, and nothing is captured", async () => {
  await using service = await start();
  using _ = await service.fault({ on: "mail/mail2", outcome: "close", name: "gone" });
  for (const connect of [undefined, await overTls(service)]) {
    assertEquals(await talk(service.ingress.port, connect), { text: "", end: "closed" });
  }
  assertEquals(service.events.count("mail"), 0);
  const reasons = service.rejected.list().map(({ reason }) => reason);
  assertEquals(reasons, ['fault "gone": close', 'fault "gone": close']);
});

Deno.test("a hanging request ends when its client leaves or the service stops", async () => {
  const service = await start();
  const { port } = service.ingress;
  using _ = await service.fault({ on: "mail/mail2", outcome: "hang" });
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(REQUEST);
  const noted = async (count: number): Promise<void> => {
    while (service.rejected.count < count) await new Promise((go) => setTimeout(go, 5));
  };
  await noted(1);
  conn.close();
  const hanging = talk(port);
  await noted(2);
  const beganMs = performance.now();
  await service.stop({ graceMs: 10_000 });
  assertEquals((await hanging).text, "");
  assertLess(performance.now() - beganMs, 9000);
});
