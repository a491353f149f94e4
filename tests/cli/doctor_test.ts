/** `standin doctor`, on a healthy setup and on deliberately broken ones. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createAuthority, issueCertificate } from "../../core/tls/generate.ts";
import { CA_FILE } from "../../core/tls/identity.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";
import { runToEnd, type Said } from "./console.ts";
import { freePort } from "../support/free_port.ts";

const PLUGINS = [mail, snmp];

/** Flags that name the ports of a service. */
function flagsOf(service: TestService): string[] {
  return [
    `--ui-port=${service.ui.port}`,
    `--ingress-port=${service.ingress.port}`,
    `--smtp-port=${service.endpoint("smtp").port}`,
    `--trap-port=${service.endpoint("trap").port}`,
  ];
}

const doctor = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> => runToEnd(["doctor", ...args], { plugins: PLUGINS, env });

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("doctor finds no problems in a healthy setup, and lists what clients need with live ports", async () => {
  await withFolder(async (home) => {
    await using service = await startService({
      plugins: PLUGINS,
      config: { ingress: { tls_dir: `${home}/tls` } },
    });
    const { ui, ingress } = service;
    const ca = await (await fetch(`${ui.url}/api/v1/tls/ca.pem`)).text();
    await Deno.writeTextFile(`${home}/bundle.pem`, `# more\n${ca.replaceAll("\n", "\r\n")}`);
    const { code, stdout, stderr } = await doctor(
      [...flagsOf(service), `--tls-dir=${home}/tls`],
      { SSL_CERT_FILE: `${home}/bundle.pem`, HTTPS_PROXY: ingress.url },
    );
    assertEquals([code, stderr], [0, ""], stdout);
    for (
      const line of [
        `  ok    standin at ${ui.url} is ready`,
        `  ok    ui: tcp 127.0.0.1:${ui.port} belongs to the instance`,
        `  ok    mail/smtp: tcp 127.0.0.1:${service.endpoint("smtp").port} belongs to the instance`,
        `  ok    snmp/trap: udp 127.0.0.1:${service.endpoint("trap").port} belongs to the instance`,
        `  ok    ingress: ${ingress.url} accepts connections`,
        `  ok    The CA is kept in ${home}/tls/${CA_FILE}`,
        "  ok    A client that trusts the CA accepts the certificate for localhost",
        "  ok    A client that trusts the CA accepts the certificate for api.mailjet.com",
        "  ok    SSL_CERT_FILE holds the CA: OpenSSL, Go, Ruby, Rust, httpx",
        "  ok    HTTPS_PROXY points to the ingress",
        `        in code: resend.api_url = "${ingress.url}"`,
        "No problems found",
      ]
    ) assertStringIncludes(stdout, `${line}\n`);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list(), []);
  });
});

Deno.test("doctor reports every problem of a broken setup, with a fix", async () => {
  await withFolder(async (home) => {
    using mailServer = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const greeting = greet(mailServer, "220 mx.example.com ESMTP \x1b[31mPostfix\r\n");
    await using web = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("It works!", { headers: { server: "Apache/2.4" } }),
    );
    const udp = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
    const [smtpPort, webPort] = [mailServer.addr.port, web.addr.port];
    const trapPort = (udp.addr as Deno.NetAddr).port;
    await writeOldCertificate(home);
    const { code, stdout, stderr } = await doctor(
      [
        ...[`--ui-port=${webPort}`, `--smtp-port=${smtpPort}`, `--trap-port=${trapPort}`],
        ...[
          "--ingress-port=0",
          `--tls-cert-file=${home}/cert.pem`,
          `--tls-key-file=${home}/key.pem`,
        ],
      ],
      { NODE_EXTRA_CA_CERTS: `${home}/absent.pem`, HTTP_PROXY: "http://proxy.example:3128" },
    );
    udp.close();
    mailServer.close();
    await greeting;
    assertEquals([code, stderr], [1, ""]);
    for (
      const line of [
        `  bad   Something else answers at http://127.0.0.1:${webPort} (status 200)`,
        `  bad   ui: tcp 127.0.0.1:${webPort} is taken by another program, ` +
        'which answers "HTTP/1.0 200 OK, Apache/2.4"',
        `  bad   mail/smtp: tcp 127.0.0.1:${smtpPort} is taken by another program, ` +
        'which answers "220 mx.example.com ESMTP .[31mPostfix"',
        `  bad   snmp/trap: udp 127.0.0.1:${trapPort} is taken by another program, ` +
        "which does not identify itself",
        `  bad   ${home}/cert.pem expired on 2020-01-11`,
        `  bad   ${home}/cert.pem is not valid for localhost`,
        `  bad   NODE_EXTRA_CA_CERTS names ${home}/absent.pem, which cannot be read: ` +
        "Node may refuse to start or to trust any server",
        "7 problems found",
      ]
    ) assertStringIncludes(stdout, `${line}\n`);
    assertMatch(stdout, /Choose another with --smtp-port, or find the program: \w+/);
    assertMatch(stdout, /Choose another with --trap-port, or find the program: \w+/);
    assertMatch(stdout, / {2}note {2}.*cert\.pem is not valid for \d+ hosts of vendors/);
    assertMatch(stdout, / {2}note {2}HTTP_PROXY is http:\/\/proxy\.example:3128, which is not/);
  });
});

Deno.test("doctor names the instance that holds a port, by label if it has one", async () => {
  await using other = await startService({ plugins: PLUGINS, config: { instance: "ci 7" } });
  const { code, stdout } = await doctor([
    `--ui-port=${freePort()}`,
    `--api-port=${other.ui.port}`,
    `--ingress-port=${other.ingress.port}`,
    `--smtp-port=${other.endpoint("smtp").port}`,
    "--trap-port=0",
    "--tls-in-memory",
    // No listener there.
    "--url=http://127.0.0.1:9",
  ]);
  assertEquals(code, 1);
  for (
    const line of [
      `api: tcp 127.0.0.1:${other.ui.port} is taken by another standin "ci 7", for ui`,
      `ingress: tcp 127.0.0.1:${other.ingress.port} is taken by another standin, for its ingress`,
      `mail/smtp: tcp 127.0.0.1:${other.endpoint("smtp").port} is taken by another program, ` +
      'which answers "220 standin ESMTP standin"',
    ]
  ) assertStringIncludes(stdout, `  bad   ${line}\n`);
});

Deno.test("doctor says when the instance itself uses a port for something else", async () => {
  await using service = await startService({ plugins: [snmp, sms] });
  const { stdout } = await runToEnd([
    "doctor",
    `--ui-port=${service.ui.port}`,
    `--ingress-port=0`,
    `--smtp-port=${service.ingress.port}`,
    `--trap-port=${service.endpoint("trap").port}`,
    "--tls-in-memory",
  ], { plugins: PLUGINS });
  assertStringIncludes(
    stdout,
    `  bad   mail/smtp: tcp 127.0.0.1:${service.ingress.port} is taken by the instance itself, for ingress\n`,
  );
});

Deno.test("doctor distinguishes the CA that clients trust from the one in use", async () => {
  await withFolder(async (home) => {
    const other = await createAuthority({ name: "Other", days: 10, now: new Date() });
    await Deno.writeTextFile(`${home}/${CA_FILE}`, other.cert);
    await using service = await startService({ plugins: PLUGINS });
    const { code, stdout } = await doctor([...flagsOf(service), `--tls-dir=${home}`], {
      CURL_CA_BUNDLE: `${home}/${CA_FILE}`,
    });
    assertEquals(code, 1);
    assertStringIncludes(
      stdout,
      `  bad   ${home}/${CA_FILE} is not the CA that the instance uses\n`,
    );
    assertStringIncludes(
      stdout,
      `        Fetch the right one: ${service.api.url}/api/v1/tls/ca.pem\n`,
    );
    assertStringIncludes(
      stdout,
      `  note  CURL_CA_BUNDLE names ${home}/${CA_FILE}, which does not hold the CA: ` +
        "curl will not trust it\n",
    );
  });
});

Deno.test("doctor without an instance checks the ports as a start would", async () => {
  const port = freePort();
  const { code, stdout } = await doctor([
    ...[`--ui-port=${port}`, "--ingress-port=0", "--smtp-port=0", "--trap-port=0"],
    "--tls-in-memory",
  ]);
  assertEquals(code, 0, stdout);
  assertMatch(stdout, / {2}note {2}Not checked: Cannot reach standin at /);
  assertStringIncludes(stdout, `  ok    ui: tcp 127.0.0.1:${port} is free\n`);
  assertMatch(stdout, /\nNo problems found\n$/);
});

Deno.test("doctor says where the instance's ports differ from the settings", async () => {
  await using service = await startService({ plugins: PLUGINS });
  const port = freePort();
  const args = [...flagsOf(service).slice(0, 2), `--smtp-port=${port}`, "--trap-port=0"];
  const { stdout } = await doctor([...args, "--tls-in-memory"]);
  const live = service.endpoint("smtp").port;
  assertStringIncludes(
    stdout,
    `  note  mail/smtp: the instance listens on port ${live}, these settings say ${port}\n`,
  );
  assertStringIncludes(stdout, "run standin doctor with the file and the flags of the instance\n");
});

Deno.test("an address that this machine does not have is named", async () => {
  // Reserved for documentation (RFC 5737).
  const args = ["--bind=192.0.2.1", "--ui-port=8811", "--ingress-port=0", "--smtp-port=0"];
  const { code, stdout } = await doctor([...args, "--trap-port=0", "--url=http://127.0.0.1:9"]);
  assertEquals(code, 1);
  assertStringIncludes(
    stdout,
    "  bad   ui: tcp 192.0.2.1:8811 is not an address of this machine\n",
  );
});

Deno.test("clients that doctor lists are in the documentation's table, with live addresses", async () => {
  const table = await Deno.readTextFile(new URL("../../docs/tls.md", import.meta.url));
  const at = { hostname: "box", port: 4711, url: "http://box:4711" };
  for (const plugin of STANDARD_PLUGINS) {
    const ids = plugin.providers.map(({ id }) => id);
    for (const { provider, client, code, environment } of await plugin.clients?.() ?? []) {
      assertEquals(ids.includes(provider), true, `${plugin.id}/${provider}`);
      assertEquals(code !== undefined || environment !== undefined, true, client);
      if (code !== undefined) assertMatch(code(at), /box/);
      // A client redirected by its environment has its vendor's host built in.
      if (environment !== undefined) assertStringIncludes(table, client.split(" (")[0]!);
    }
  }
});

Deno.test("doctor names the clients of snippets for a provider that lists no client", async () => {
  const plugins = [{
    ...sms,
    clients: async () => (await sms.clients!()).filter(({ provider }) => provider !== "sms3"),
    providers: sms.providers.filter(({ id }) => /^sms[123]$/.test(id)),
  }];
  await using service = await startService({ plugins });
  const flags = [`--ui-port=${service.ui.port}`, `--ingress-port=${service.ingress.port}`];
  const { stdout } = await runToEnd(["doctor", ...flags, "--tls=false"], { plugins, env: {} });
  assertStringIncludes(
    stdout,
    "  Vonage (sms3)  Node.js (@vonage/server-sdk)\n" +
      "        in code: see standin providers sms/sms3\n",
  );
  assertEquals(stdout.match(/see standin providers/g)?.length, 1);
});

/** Sends the same response to every client until the listener is closed. */
async function greet(listener: Deno.TcpListener, words: string): Promise<void> {
  for await (const connection of listener) {
    await connection.write(new TextEncoder().encode(words));
    connection.close();
  }
}

/** A certificate that expired in January 2020, for another host. */
async function writeOldCertificate(folder: string): Promise<void> {
  const now = new Date("2020-01-01T00:00:00Z");
  const authority = await createAuthority({ name: "Old", days: 10, now });
  const leaf = await issueCertificate(authority, {
    name: "Old",
    days: 10,
    hosts: ["other.example"],
    now,
  });
  await Deno.writeTextFile(`${folder}/cert.pem`, leaf.cert);
  await Deno.writeTextFile(`${folder}/key.pem`, leaf.key);
}
