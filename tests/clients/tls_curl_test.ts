import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import type { TestService } from "../support/service.ts";
import { startTrusted, type TrustedService } from "../support/tls.ts";

const start = (): Promise<TrustedService> => startTrusted({ plugins: [mail] });

/** Sends a mail through mail3; curl prints the negotiated protocol, and the status. */
const SEND = [
  ...["--silent", "--show-error", "--max-time", "20", "--output", "/dev/null"],
  ...["--write-out", "%{http_version} %{response_code}"],
  ...["--header", "Authorization: Bearer re_any", "--header", "Content-Type: application/json"],
  ...["--data", '{"from":"a@example.com","to":"b@example.org","subject":"curl","text":"Hello"}'],
];

/**
 * Resolves once the journal holds this many records: the client may leave before its error is
 * recorded.
 */
async function noted(service: TestService, count = 1): Promise<void> {
  while (service.rejected.list().length < count) await new Promise((next) => setTimeout(next, 1));
}

const versions = [
  ["--http2", "2 200", "2"],
  ["--http1.1", "1.1 200", "1.1"],
] as const;
for (const [flag, printed, version] of versions) {
  clientTest(`curl ${flag} sends over TLS to the ingress`, ["curl"], async ({ curl }) => {
    await using trusted = await start();
    const { service, caFile, url } = trusted;
    const args = [...SEND, flag, "--noproxy", "*", "--cacert", caFile, `${url}/emails`];
    assertEquals((await runOk(curl, args)).stdout, printed);
    assertEquals(service.events.list({}).map(({ raw }) => raw.http_version), [version]);
  });

  clientTest(`curl ${flag} sends to the vendor's host through the tunnel`, ["curl"], async (
    { curl },
  ) => {
    await using trusted = await start();
    const { service, caFile, proxied } = trusted;
    const args = [...SEND, flag, "--cacert", caFile, "https://api.resend.com/emails"];
    assertEquals((await runOk(curl, args, { env: proxied })).stdout, printed);
    assertEquals(service.events.list({}).map(({ raw }) => raw.http_version), [version]);
    assertEquals(service.rejected.list(), []);
  });
}

clientTest("curl sends to the vendor's host in cleartext, through its proxy", ["curl"], async (
  { curl },
) => {
  await using trusted = await start();
  const args = [...SEND, "http://api.resend.com/emails"];
  assertEquals((await runOk(curl, args, { env: trusted.proxied })).stdout, "1.1 200");
});

clientTest("curl reports that another host is unreachable", ["curl"], async ({ curl }) => {
  await using trusted = await start();
  const { service, caFile, proxied } = trusted;
  const args = [...SEND, "--cacert", caFile, "https://www.example.com/"];
  const { code, stderr } = await runProgram(curl, args, { env: proxied });
  // CURLE_RECV_ERROR, or the newer CURLE_PROXY
  assertMatch(`${code} ${stderr}`, /^(56|97) .*502/s);
  const [record] = service.rejected.list();
  assertEquals([record?.method, record?.path], ["CONNECT", "www.example.com:443"]);
});

clientTest("curl refuses a certificate from an unknown CA", ["curl"], async ({ curl }) => {
  await using trusted = await start();
  const { service, url } = trusted;
  const { code } = await runProgram(curl, [...SEND, "--noproxy", "*", `${url}/emails`]);
  // CURLE_PEER_FAILED_VERIFICATION
  assertEquals(code, 60);
  await noted(service);
  assertStringIncludes(service.rejected.list()[0]?.reason ?? "", "Cannot agree on TLS");
});

clientTest("openssl negotiates a protocol, and garbage is recorded", ["openssl"], async (
  { openssl },
) => {
  await using trusted = await start();
  const { service, caFile } = trusted;
  const client = ["s_client", "-connect", `127.0.0.1:${service.ingress.port}`, "-CAfile", caFile];
  const agreed = await runProgram(openssl, [...client, "-brief", "-alpn", "h2,http/1.1"]);
  assertMatch(agreed.stderr, /Verification: OK/);
  for (const [offer, wanted] of [["h2,http/1.1", "h2"], ["http/1.1", "http/1.1"]]) {
    const { stdout } = await runProgram(openssl, [...client, "-alpn", offer!]);
    assertStringIncludes(stdout, `ALPN protocol: ${wanted}`);
  }
  const none = await runProgram(openssl, [...client, "-quiet"], {
    stdin: "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  });
  assertMatch(none.stdout, /^HTTP\/1\.1 404 /);
  const { hostname, port } = service.ingress;
  const before = service.rejected.list().length;
  const conn = await Deno.connect({ hostname, port });
  // A ClientHello (RFC 8446 section 4.1.2) of no bytes.
  await conn.write(Uint8Array.of(0x16, 3, 1, 0, 4, 1, 0, 0, 0));
  // An alert, or an immediate close: no response in cleartext.
  const answer = new Uint8Array(100);
  const count = await conn.read(answer) ?? 0;
  assertEquals(count === 0 || answer[0] === 0x15, true);
  conn.close();
  await noted(service, before + 1);
});

clientTest(
  "curl's client certificate is recorded, and none is required",
  ["curl", "openssl"],
  async (
    { curl, openssl },
  ) => {
    await using trusted = await start();
    const { service, caFile, url, folder } = trusted;
    const [cert, key] = [`${folder}/client.pem`, `${folder}/client.key`];
    await runOk(openssl, [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"],
      ...["-subj", "/O=Acme/CN=orders", "-keyout", key, "-out", cert],
    ]);
    const { stdout } = await runOk(openssl, [
      ...["x509", "-in", cert, "-noout", "-fingerprint", "-sha256"],
    ]);
    const args = [...SEND, "--noproxy", "*", "--cacert", caFile, `${url}/emails`];
    await runOk(curl, [...args, "--cert", cert, "--key", key]);
    await runOk(curl, args);
    const [without, shown] = service.events.list({}).map(({ raw }) => raw.client_certificate);
    assertEquals(without, undefined);
    assertEquals([shown?.subject, shown?.issuer], ["O=Acme, CN=orders", "O=Acme, CN=orders"]);
    assertEquals(shown?.fingerprint, stdout.trim().split("=")[1]);
    const [, event] = await (await fetch(`${service.api.url}/api/v1/events`)).json();
    assertEquals(event.raw.client_certificate, shown);
  },
);
