/** Connections that a fault resets (RFC 9293 section 3.5.2); clients can tell a reset from a close. */
import { assertEquals, assertRejects } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";

const BODY = '{"from":"a@example.com","to":"b@example.com","subject":"Hi","text":"Hi"}';
const REQUEST = `POST /emails HTTP/1.1\r\nHost: h\r\nContent-Length: ${BODY.length}\r\n` +
  `Content-Type: application/json\r\n\r\n${BODY}`;

async function talk(port: number, words: string): Promise<string> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(new TextEncoder().encode(words));
  const buffer = new Uint8Array(4096);
  let text = "";
  for (;;) {
    const count = await conn.read(buffer);
    if (count === null) return text;
    text += new TextDecoder().decode(buffer.subarray(0, count));
    if (text.includes("\r\n\r\n")) return text;
  }
}

const statusOf = async (service: TestService): Promise<string> =>
  (await talk(service.ingress.port, REQUEST)).slice(9, 12);

Deno.test("an HTTP connection is reset, and the listener continues as before", async () => {
  await using service = await startService();
  assertEquals(await statusOf(service), "200");
  using fault = await service.fault({ on: "mail/mail3", outcome: ["reset", "reset"] });
  for (let n = 0; n < 2; n++) {
    await assertRejects(() => statusOf(service), Deno.errors.ConnectionReset);
  }
  assertEquals([await statusOf(service), fault.hits], ["200", 2]);
  const ca = await (await fetch(`${service.api.url}/api/v1/tls/ca.pem`)).text();
  using client = Deno.createHttpClient({ caCerts: [ca] });
  const url = `https://localhost:${service.ingress.port}/emails`;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { client, method: "POST", body: BODY, headers });
  assertEquals([answer.status, typeof (await answer.json()).id], [200, "string"]);
});

Deno.test("a rule in the file resets the first client's connections, and SMTP ones", async () => {
  await using service = await startService({
    config: {
      faults: [
        { on: "mail/mail3", outcome: ["reset"] },
        { on: "mail/smtp", outcome: ["reset"], phase: "connect" },
      ],
    },
  });
  await assertRejects(() => statusOf(service), Deno.errors.ConnectionReset);
  assertEquals(await statusOf(service), "200");
  const { port } = service.endpoint("smtp");
  await assertRejects(() => talk(port, "EHLO me\r\n"), Deno.errors.ConnectionReset);
  const again = await talk(port, "EHLO me\r\nQUIT\r\n");
  assertEquals(again.slice(0, 4), "220 ");
});
