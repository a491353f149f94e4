/** Requests that a browser sends for a page of another site, on the ports that clients use. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";

const EVIL = "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n";
const MAIL = JSON.stringify({
  from: "a@example.com",
  to: "b@example.com",
  subject: "s",
  text: "t",
});

function start(config: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return startService({
    plugins: [mail, sms, s3],
    config: { plugins: { s3: { providers: { http: { buckets: ["kept"] } } } }, ...config },
  });
}

async function ask(port: number, line: string, headers: string, body = "") {
  using client = await RawClient.connect(port);
  const length = `Content-Length: ${new TextEncoder().encode(body).length}\r\n`;
  const host = /^host:/im.test(headers) ? "" : `Host: localhost:${port}\r\n`;
  await client.send(`${line} HTTP/1.1\r\n${host}${headers}${length}\r\n${body}`);
  return await client.answer();
}

Deno.test("the ingress refuses every request from a page of another site, and records it", async () => {
  await using service = await start();
  const { port } = service.ingress;
  for (
    const [line, body] of [
      ["POST /emails", MAIL],
      ["POST /v3/mail/send", MAIL],
      ["OPTIONS /emails", ""],
      ["GET /2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json", ""],
      ["GET /nope", ""],
    ] as const
  ) {
    const { status, body: text } = await ask(port, line, EVIL, body);
    assertEquals([line, status], [line, 403]);
    assertMatch(text, /^Cannot serve a page of origin "https:\/\/evil\.example": expected a page/);
    const [record] = service.rejected.list();
    assertEquals([record?.status, record?.reason], [403, text.trimEnd()]);
    assertEquals(new TextDecoder().decode(record!.raw), body);
  }
  assertEquals(service.events.count(), 0);
});

Deno.test("the ingress refuses in JSON when the request accepts it", async () => {
  await using service = await start();
  const headers = `${EVIL}Content-Type: application/json\r\n`;
  const { status, body } = await ask(service.ingress.port, "POST /emails", headers, MAIL);
  assertEquals(status, 403);
  assertMatch(JSON.parse(body).error, /^Cannot serve a page/);
});

Deno.test("S3 refuses a page of another site in its own error format, and does nothing", async () => {
  await using service = await start();
  const { port } = service.endpoint("s3/http");
  const put = await ask(port, "PUT /kept/a.txt", "", "kept");
  assertEquals(put.status, 200);
  const events = service.events.count();
  const deletion = "<Delete><Object><Key>a.txt</Key></Object></Delete>";
  for (
    const [line, body] of [
      ["POST /kept?delete", deletion],
      ["PUT /kept/b.txt", "b"],
      ["DELETE /kept/a.txt", ""],
      ["GET /", ""],
      ["OPTIONS /kept/a.txt", ""],
    ] as const
  ) {
    const { status, head, body: text } = await ask(port, line, EVIL, body);
    assertEquals([line, status], [line, 403]);
    assertMatch(head, /content-type: application\/xml/i);
    assertMatch(text, /<Code>AccessForbidden<\/Code><Message>Cannot serve a page of origin/);
    assertEquals(service.rejected.list()[0]?.provider, "http");
  }
  assertEquals(service.events.count(), events);
  assertEquals((await ask(port, "GET /kept/a.txt", "")).body, "kept");
});

Deno.test("a refused upload is answered before the rest of it arrives", async () => {
  await using service = await start();
  const { port } = service.endpoint("s3/http");
  for (const framing of ["Content-Length: 100000000", "Transfer-Encoding: chunked"]) {
    using client = await RawClient.connect(port);
    await client.send(`PUT /kept/big HTTP/1.1\r\nHost: localhost\r\n${EVIL}${framing}\r\n\r\n`);
    assertEquals((await client.answer()).status, 403);
  }
});

Deno.test("a browser cannot read captured data under a foreign name that resolves here", async () => {
  await using service = await start();
  const rebound =
    "Host: evil.example\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0\r\n";
  const messages = "GET /2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
  assertEquals((await ask(service.ingress.port, messages, rebound)).status, 403);
  const buckets = await ask(service.endpoint("s3/http").port, "GET /", rebound);
  assertEquals(buckets.status, 403);
  assert(!buckets.body.includes("kept"), buckets.body);
  const program = "Host: standin:9000\r\nUser-Agent: Boto3/1.34\r\n";
  assertMatch((await ask(service.endpoint("s3/http").port, "GET /", program)).body, /kept/);
});

Deno.test("[ingress] allowed_origins admits pages of these origins on every HTTP port for clients", async () => {
  await using service = await start({ ingress: { allowed_origins: ["https://app.example.com"] } });
  const own = "Origin: https://app.example.com\r\nSec-Fetch-Site: cross-site\r\n";
  assertEquals((await ask(service.ingress.port, "POST /emails", own, MAIL)).status, 200);
  assertEquals((await ask(service.endpoint("s3/http").port, "GET /", own)).status, 200);
  assertEquals((await ask(service.ingress.port, "POST /emails", EVIL, MAIL)).status, 403);
  assertEquals((await ask(service.api.port, "GET /api/v1/events", own)).status, 403);
});
