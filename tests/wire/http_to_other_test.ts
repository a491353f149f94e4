/**
 * An HTTP request to a port of another protocol, as any web page can make a browser send it, with a
 * body that the protocol would read as commands: none of it is executed, the connection ends, and
 * the journal has the reason.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";

const MESSAGE = "\x0bMSH|^~\\&|A|B|C|D|20260131120000||ADT^A01|1|P|2.5.1\rPID|1\r\x1c\r";
const MAIL =
  "EHLO a\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n\r\nx\r\n.\r\nQUIT\r\n";
const FOLDER = "USER a\r\nPASS b\r\nMKD /made\r\nQUIT\r\n";

/** The listener, how it ends the conversation, and a body that it would understand. */
const LISTENERS: readonly (readonly [provider: string, goodbye: RegExp, body: string])[] = [
  ["mail/smtp", /^220 .*\r\n421 4\.7\.0 This is SMTP, not HTTP\r\n$/s, MAIL],
  ["files/ftp", /^220 .*\r\n421 This is FTP, not HTTP\r\n$/s, FOLDER],
  ["files/sftp", /^SSH-2\.0-/, "SSH-2.0-client\r\n"],
  ["files/nfs", /^$/, "\x80\0\0\x28"],
  ["hl7/mllp", /^$/, MESSAGE],
];

const BINARY: ReadonlySet<string> = new Set(["files/sftp", "files/nfs"]);
const LONG = "a first line longer than any";

/** How the request begins, split as a network may split it. */
const OPENINGS: readonly (readonly [what: string, ...pieces: readonly string[]])[] = [
  ["POST", "POST / HTTP/1.1\r\nHost: localhost\r\n"],
  ["an empty line before it", "\r\nGET / HTTP/1.1\r\nHost: localhost\r\n"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n"],
  ["its first line in two pieces", "POST ", "/ HTTP/1.1\r\nHost: localhost\r\n"],
  [LONG, `POST /${"a".repeat(200_000)}`, " HTTP/1.1\r\nHost: a\r\n"],
];

for (const [provider, goodbye, body] of LISTENERS) {
  for (const [what, ...pieces] of OPENINGS) {
    // A listener that does not read lines gives up before the second chunk of a long one.
    if (what === LONG && BINARY.has(provider)) continue;
    Deno.test(`${provider} executes nothing from an HTTP request: ${what}`, async () => {
      await using service = await start();
      using client = await RawClient.connect(service.endpoint(provider).port);
      const last = `${pieces.at(-1)}Content-Length: ${body.length}\r\n\r\n${body}`;
      for (const piece of [...pieces.slice(0, -1), last]) {
        await client.send(piece).catch(() => {});
      }
      await client.end().catch(() => {});
      assertMatch(await client.rest(), goodbye);
      await checkRefused(service, provider);
    });
  }
}

Deno.test("nothing from an HTTP request inside TLS is executed, either", async () => {
  await using service = await start({
    plugins: { mail: { providers: { smtp: { tls_port: 0 } } } },
  });
  const answer = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  const conn = await Deno.connectTls({
    hostname: "localhost",
    port: service.endpoint("mail/smtp/tls").port,
    caCerts: [await answer.text()],
  });
  using client = new RawClient(conn);
  await client.send(`POST / HTTP/1.1\r\nContent-Length: ${MAIL.length}\r\n\r\n${MAIL}`);
  assertMatch(await client.rest(), /\r\n421 4\.7\.0 This is SMTP, not HTTP\r\n$/);
  await checkRefused(service, "mail/smtp");
});

Deno.test("input that only resembles an HTTP request gets the protocol's own answer", async () => {
  await using service = await start();
  using client = await RawClient.connect(service.endpoint("mail/smtp").port);
  await client.send("GET /\r\nHELO HTTP/1.1\r\n");
  await client.end();
  assertMatch(await client.rest(), /^220 .*\r\n421 4\.7\.0 This is SMTP, not HTTP\r\n$/);
  assertEquals(service.rejected.list()[0]?.status, 421);
});

function start(config: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  const plugins = STANDARD_PLUGINS.filter(({ id }) => ["mail", "files", "hl7"].includes(id));
  return startService({ plugins, config });
}

async function checkRefused(service: TestService, provider: string): Promise<void> {
  // The first line may have been refused before the rest arrived.
  const records = service.rejected.list().filter(({ reason }) => reason.includes("HTTP here"));
  const [record] = records;
  assertEquals([records.length, record?.provider], [1, provider.split("/")[1]]);
  assertMatch(record!.reason, /^Cannot speak HTTP here: this port is for /);
  if (record!.path !== undefined) {
    assertMatch(`${record!.method} ${record!.path}`, /^(POST|GET) \/$|^PRI \*$/);
  }
  assertEquals(service.events.list({}), []);
  assertEquals((await service.getJson<{ entries: unknown }>("/files/tree")).entries, []);
  assertEquals(service.log, []);
}
