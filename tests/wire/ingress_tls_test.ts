/** TLS and tunnels on the ingress of a running service. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";

const MAIL = {
  from: "shop@example.com",
  to: "ada@example.org",
  subject: "Over TLS",
  text: "Hello",
};

function startMail(
  ingress: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
): Promise<TestService> {
  return startService({ plugins: [mail], config: { ingress, ...config } });
}

async function caOf(service: TestService): Promise<string> {
  const response = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  assertEquals(response.status, 200);
  return await response.text();
}

/** A client that trusts only `ca`. */
function clientOf(ca: string, proxy?: string): Deno.HttpClient {
  return Deno.createHttpClient({
    caCerts: [ca],
    ...(proxy === undefined ? {} : { proxy: { url: proxy } }),
  });
}

async function post(url: string, client: Deno.HttpClient): Promise<number> {
  const response = await fetch(`${url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify(MAIL),
    client,
  });
  await response.body?.cancel();
  return response.status;
}

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function httpsUrl(service: TestService): string {
  return service.ingress.url.replace("http:", "https:");
}

Deno.test("the ingress accepts TLS and cleartext, and the API serves the CA to trust", async () => {
  await using service = await startMail();
  const response = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  assertEquals(response.headers.get("content-type"), "application/x-pem-file");
  const ca = await response.text();
  assertMatch(ca, /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/);
  using client = clientOf(ca);
  assertEquals(await post(httpsUrl(service), client), 200);
  using cleartext = Deno.createHttpClient({});
  assertEquals(await post(service.ingress.url, cleartext), 200);
  assertEquals(service.events.list({ provider: "mail3" }).length, 2);
  assertEquals(service.rejected.list(), []);
});

Deno.test("a client that uses the ingress as its proxy reaches a vendor's host locally", async () => {
  await using service = await startMail();
  using client = clientOf(await caOf(service), service.ingress.url);
  assertEquals(await post("https://api.resend.com", client), 200);
  const [event] = service.events.list({ provider: "mail3" });
  assertEquals([event?.raw.method, event?.raw.path, event?.raw.http_version], [
    "POST",
    "/emails",
    "2",
  ]);
});

Deno.test("every vendor's host, wildcards included, has a tunnel and a certificate", async () => {
  const hosts = STANDARD_PLUGINS.flatMap(({ providers }) => providers)
    .flatMap(({ vendorHosts }) => vendorHosts ?? [])
    .map((host) => host.replace("**", "some.more").replace("*", "some"));
  assertEquals(hosts.includes("some.webhook.office.com"), true);
  assertEquals(hosts.includes("some.more.logic.azure.com"), true);
  // Only one of the plugins with these hosts runs here: certificates do not depend on that.
  await using service = await startService({
    config: { default_enabled: false, plugins: { mail: { enabled: true } } },
  });
  using client = clientOf(await caOf(service), service.ingress.url);
  for (const host of hosts) {
    const response = await fetch(`https://${host}/no/such/path`, { client });
    assertEquals([host, response.status], [host, 404]);
    await response.body?.cancel();
  }
});

for (
  const target of [
    "example.com:443",
    "api.resend.com:80",
    "api.resend.com.example.com:443",
    "a.b.webhook.office.com:443",
    "webhook.office.com:443",
    "logic.azure.com:443",
    "localhost:443",
  ]
) {
  Deno.test(`a tunnel to ${target} is refused with 502 and journaled`, async () => {
    await using service = await startService();
    const { hostname, port } = service.ingress;
    using conn = await Deno.connect({ hostname, port });
    const request = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
    await conn.write(new TextEncoder().encode(request));
    const buffer = new Uint8Array(4096);
    const answer = new TextDecoder().decode(buffer.subarray(0, await conn.read(buffer) ?? 0));
    assertMatch(answer, /^HTTP\/1\.1 502 /);
    const [record] = service.rejected.list();
    assertEquals([record?.method, record?.path, record?.status], ["CONNECT", target, 502]);
    assertStringIncludes(record?.reason ?? "", `Cannot open a tunnel to "${target}"`);
  });
}

Deno.test("the read-back API cannot be reached through a vendor's host", async () => {
  // Both share one port, so the path alone would lead there.
  using free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr;
  free.close();
  await using service = await startMail({ port }, { ui: { port } });
  const ca = await caOf(service);
  using proxied = clientOf(ca, service.ingress.url);
  const foreign = await fetch("https://api.resend.com/api/v1/events", { client: proxied });
  assertEquals(foreign.status, 403);
  await foreign.body?.cancel();
  using direct = clientOf(ca);
  const own = await fetch(`https://127.0.0.1:${port}/api/v1/events`, { client: direct });
  assertEquals([own.status, await own.json()], [200, []]);
});

Deno.test("tls = false turns TLS and tunnels off", async () => {
  await using service = await startMail({ tls: false });
  using client = clientOf(await caOf(service));
  await assertRejects(() => post(httpsUrl(service), client), TypeError);
  using proxied = clientOf(await caOf(service), service.ingress.url);
  await assertRejects(() => post("https://api.resend.com", proxied), TypeError);
  const reasons = service.rejected.list().map(({ reason }) => reason).join("\n");
  assertStringIncludes(reasons, "Cannot accept TLS: it is turned off on this port");
  assertEquals(service.events.count(), 0);
});

Deno.test("a client that does not trust the CA is journaled", async () => {
  await using service = await startMail();
  using client = Deno.createHttpClient({});
  await assertRejects(() => post(httpsUrl(service), client), TypeError);
  while (service.rejected.list().length === 0) await new Promise((next) => setTimeout(next, 1));
  assertStringIncludes(service.rejected.list()[0]!.reason, "must trust the CA of this service");
});

Deno.test("a CA in a folder survives a restart; one in memory does not", async () => {
  await withFolder(async (folder) => {
    const cas: string[] = [];
    for (const ingress of [{ tls_dir: folder }, { tls_dir: folder }, {}, {}]) {
      await using service = await startMail(ingress);
      cas.push(await caOf(service));
    }
    assertEquals(new Set(cas).size, 3);
    assertEquals(cas[0], cas[1]);
    assertEquals(await Deno.readTextFile(`${folder}/ca.pem`), cas[0]);
  });
});

Deno.test("an unusable folder is reported, and TLS continues with a CA in memory", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const service = await startMail({ tls_dir: `${folder}/file/tls` });
    await using _service = service;
    using client = clientOf(await caOf(service));
    assertEquals(await post(httpsUrl(service), client), 200);
    assertEquals(service.log.length, 1);
    assertMatch(service.log[0]!, /WARN +Cannot keep the CA: clients must trust a new one/);
    assertStringIncludes(service.log[0]!, `${folder}/file/tls`);
  });
});

Deno.test("the user's own certificate is served, and then there is no CA to serve", async () => {
  await withFolder(async (folder) => {
    const own = await createTlsIdentity().certificate();
    const [tls_cert_file, tls_key_file] = [`${folder}/c.pem`, `${folder}/k.pem`];
    await Deno.writeTextFile(tls_cert_file, own.cert);
    await Deno.writeTextFile(tls_key_file, own.key);
    await using service = await startMail({ tls_cert_file, tls_key_file });
    using client = clientOf(own.ca!);
    assertEquals(await post(httpsUrl(service), client), 200);
    assertEquals(await service.getJson("/tls/ca.pem", 404), {
      error: "Cannot return a CA: the certificate comes from [ingress] tls_cert_file; " +
        "trust its issuer",
    });
  });
});

Deno.test("unusable files stop the start", async () => {
  await withFolder(async (folder) => {
    const [one, other] = await Promise.all([
      createTlsIdentity().certificate(),
      createTlsIdentity().certificate(),
    ]);
    const files = { tls_cert_file: `${folder}/c.pem`, tls_key_file: `${folder}/k.pem` };
    const message = async () => (await assertRejects(() => startMail(files), ConfigError)).message;
    assertStringIncludes(await message(), `Cannot read TLS file "${files.tls_cert_file}"`);
    await Deno.writeTextFile(files.tls_cert_file, one.cert);
    await Deno.writeTextFile(files.tls_key_file, other.key);
    assertStringIncludes(
      await message(),
      `Cannot use TLS certificate "${files.tls_cert_file}" with key "${files.tls_key_file}"`,
    );
  });
});

async function greetingOf(conn: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4096);
  return new TextDecoder().decode(buffer.subarray(0, await conn.read(buffer) ?? 0));
}

Deno.test("SMTP uses the same certificate, for implicit TLS and STARTTLS", async () => {
  const smtp = { starttls: true, tls_port: 0 };
  await using service = await startMail({}, { plugins: { mail: { providers: { smtp } } } });
  const caCerts = [await caOf(service)];
  const { hostname, port } = service.endpoint("mail/smtp/tls");
  using implicit = await Deno.connectTls({ hostname, port, caCerts });
  assertMatch(await greetingOf(implicit), /^220 /);
  const plain = await Deno.connect({ hostname, port: service.endpoint("smtp").port });
  assertMatch(await greetingOf(plain), /^220 /);
  const say = async (line: string) => {
    await plain.write(new TextEncoder().encode(`${line}\r\n`));
    return await greetingOf(plain);
  };
  assertMatch(await say("EHLO client.example"), /^250/);
  assertMatch(await say("STARTTLS"), /^220 /);
  using upgraded = await Deno.startTls(plain, { hostname: "localhost", caCerts });
  await upgraded.write(new TextEncoder().encode("EHLO client.example\r\n"));
  assertMatch(await greetingOf(upgraded), /^250/);
});

Deno.test("a client of the mail port that does not trust the CA is journaled, not logged", async () => {
  const smtp = { tls_port: 0 };
  await using service = await startMail({}, { plugins: { mail: { providers: { smtp } } } });
  const { hostname, port } = service.endpoint("mail/smtp/tls");
  const conn = await Deno.connectTls({ hostname, port });
  await assertRejects(() => conn.handshake());
  conn.close();
  while (service.rejected.list().length === 0) await new Promise((next) => setTimeout(next, 1));
  const [record] = service.rejected.list();
  assertEquals(record?.provider, "smtp");
  assertMatch(record?.reason ?? "", /^Cannot agree on TLS with .* must trust the CA/);
  assertEquals(service.log, []);
});
