/** `standin demo`: samples of every plugin, sent to a running instance. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { samplesOf } from "../../core/cli/instance/demo.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { ExampleCall } from "../../core/plugin.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { startProgram } from "../support/program.ts";
import { startService, type TestService } from "../support/service.ts";
import { runToEnd, type Said } from "./console.ts";
import { freePort } from "../support/free_port.ts";

const ROOT = new URL("../../", import.meta.url);

/** Runs the command against a service of this process. */
function demo(service: TestService, ...args: readonly string[]): Promise<Said> {
  return runToEnd(["demo", "--url", service.api.url, ...args], { plugins: STANDARD_PLUGINS });
}

function events<P>(service: TestService, plugin: string): CapturedEvent<P>[] {
  return (service.events.list({ plugin }) as CapturedEvent<P>[]).toReversed();
}

Deno.test("every provider has samples", async () => {
  for (const plugin of STANDARD_PLUGINS) {
    const sampled = new Set((await samplesOf(plugin)).map(({ provider }) => provider));
    assertEquals(
      plugin.providers.map((provider) => provider.id).filter((one) => !sampled.has(one)),
      [],
      plugin.id,
    );
  }
});

Deno.test("demo sends the example of a provider without a sample, with the provider's settings", async () => {
  const example = (values: Readonly<Record<string, unknown>>): ExampleCall => ({
    path: "/sms/json",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ from: "LOVELACE", to: "447700900123", text: "Hello", ...values }),
  });
  const plugins = [{
    ...sms,
    demo: async () => (await sms.demo!()).filter(({ provider }) => provider === "sms2"),
    providers: sms.providers.filter(({ id }) => /^sms[123]$/.test(id))
      .map((one) => one.id === "sms1" ? one : { ...one, example }),
  }];
  await using service = await startService({
    plugins,
    config: { plugins: { sms: { providers: { sms3: { api_key: "key" } } } } },
  });
  const { code, stdout, stderr } = await runToEnd(
    ["demo", "--url", service.api.url, "--sms3-api-key=key"],
    { plugins },
  );
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "\n  sms3: The example of Vonage\nSent 2 items");
  assertEquals(events(service, "sms").map(({ provider }) => provider), ["sms2", "sms3"]);
});

Deno.test("demo fills an instance over every protocol, and says what it sent and where to see it", async () => {
  await using service = await startService({
    config: { plugins: { as2: { providers: { http: { in_memory: true } } } } },
  });
  const { code, stdout, stderr } = await demo(service);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(service.rejected.list(), []);
  assertEquals(service.log, []);
  // Traps are not acknowledged: the last one may still be in flight. A file becomes an upload once NFS is quiet.
  await service.waitFor("snmp.trap", { search: "authenticationFailure" });
  await service.waitFor("files.upload", { provider: "nfs" });
  const seen = new Set(service.events.list({}).map(({ type, provider }) => `${type} ${provider}`));
  for (const plugin of STANDARD_PLUGINS) {
    assertStringIncludes(stdout, `${plugin.id}: look at ${service.api.url}/ui/${plugin.id}/\n`);
    for (const { provider } of await samplesOf(plugin)) {
      assert(
        [...seen].some((one) => one.startsWith(`${plugin.id}.`) && one.endsWith(` ${provider}`)),
        `${plugin.id}/${provider} captured nothing`,
      );
    }
  }
  assertMatch(stdout, /\n {2}mail1: An order confirmation with its invoice attached\n/);
  assertMatch(stdout, /\nSent \d+ items; see http:\/\/127\.0\.0\.1:\d+\/ui\/\n$/);
});

Deno.test("samples are intact: documents open, files are unchanged, messages have no issues", async () => {
  await using service = await startService({
    config: { plugins: { as2: { providers: { http: { in_memory: true } } } } },
  });
  for (const plugin of ["as2", "files", "hl7"]) {
    assertEquals((await demo(service, plugin)).stderr, "", plugin);
  }
  const documents = events<As2Message>(service, "as2").map(({ payload }) => payload);
  assertEquals(documents.map(({ issues }) => issues), [undefined, undefined, undefined]);
  assertEquals(
    documents.map(({ security }) => [security.encrypted, security.signature?.verified]),
    [[false, undefined], [false, true], [true, true]],
  );
  await service.waitFor("files.upload", { provider: "nfs" });
  const content = async (path: string): Promise<string> =>
    await (await fetch(`${service.api.url}/api/v1/files/content${path}`)).text();
  assertMatch(await content("/invoices/2026-0417.pdf"), /^%PDF-1\.4\n[^]*%%EOF\n$/);
  assertMatch(await content("/exports/orders.csv"), /^order;date[^]*;12\.00\r\n$/);
  assertMatch(await content("/backups/shop.sql"), /^-- shop[^]*24\.90\);\n$/);
  assertEquals((await content("/edge-1.cfg")).length, 3 * 512);
  const messages = events<Hl7Message>(service, "hl7").map(({ payload }) => payload);
  assertEquals(messages.map(({ ack }) => ack.code), ["AA", "CA", "AA", "AA", "AA", "AE"]);
  assertEquals(messages.slice(0, -1).map(({ issues }) => issues), Array(5).fill(undefined));
});

Deno.test("demo snmp sends only traps, of both versions and every common type", async () => {
  await using service = await startService();
  const { code, stdout, stderr } = await demo(service, "snmp");
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^snmp: look at /);
  await service.waitFor("snmp.trap", { search: "authenticationFailure" });
  const traps = events<SnmpTrap>(service, "snmp").map(({ payload }) => payload);
  assertEquals(service.events.count(), traps.length);
  assertEquals(traps.map(({ decode_error }) => decode_error), Array(6).fill(undefined));
  assertEquals(
    traps.map(({ version, inform }) => `${version} ${inform}`),
    ["1 false", "2c false", "2c true", "2c true", "1 false", "2c false"],
  );
  const types = new Set(traps.flatMap(({ varbinds }) => varbinds.map(({ type }) => type)));
  assertEquals(
    [...types].sort(),
    [
      ...["Counter32", "Counter64", "Gauge32", "IPAddress", "Integer", "ObjectIdentifier"],
      ...["OctetString", "Opaque", "TimeTicks"],
    ],
  );
});

Deno.test("demo sends pinned credentials, and reports an instance that pins others", async () => {
  const config = { plugins: { mail: { providers: { mail3: { api_key: "re_pinned" } } } } };
  await using service = await startService({ config });
  const right = await runToEnd(["demo", "mail", "--url", service.api.url], {
    plugins: STANDARD_PLUGINS,
    env: { SERVICE_MAIL3_API_KEY: "re_pinned" },
  });
  assertEquals([right.code, right.stderr], [0, ""]);
  const wrong = await demo(service, "mail");
  assertEquals(wrong.code, 1);
  assertMatch(
    wrong.stderr,
    /^Error: Cannot send to mail\/mail3 \(A welcome mail .*\): it answered 4\d\d: .+\n$/,
  );
  assertStringIncludes(wrong.stdout, "  smtp: ");
});

Deno.test("demo skips what does not run, and fails when nothing runs", async () => {
  const only = (provider: string) => ({
    default_enabled: false,
    plugins: { mail: { enabled: true, providers: { [provider]: { enabled: true } } } },
  });
  await using service = await startService({ config: only("mail3") });
  const mail = await demo(service, "mail");
  assertEquals([mail.code, mail.stderr], [0, ""]);
  assertStringIncludes(mail.stdout, "  smtp: not running there\n");
  assertEquals(
    new Set(service.events.list({}).map(({ provider }) => provider)),
    new Set(["mail3"]),
  );
  const sms = await demo(service, "sms");
  assertEquals(
    [sms.code, sms.stdout, sms.stderr],
    [
      1,
      `sms: not running there, so it gets nothing\nSent 0 items; see ${service.api.url}/ui/\n`,
      "Error: Nothing was sent: no provider with samples is running there\n",
    ],
  );
});

Deno.test("demo points at the UI port when the API has its own port", async () => {
  const port = freePort();
  await using service = await startService({ config: { api: { port } } });
  const { code, stdout, stderr } = await demo(service, "sms");
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, `sms: look at ${service.ui.url}/ui/sms/\n`);
});

Deno.test("demo says what to do without an instance or the plugin", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  taken.close();
  const absent = await runToEnd(["demo", `--ui-port=${port}`], { plugins: STANDARD_PLUGINS });
  assertEquals(absent.code, 1);
  assertMatch(
    absent.stderr,
    /^Error: Cannot reach standin at http:\/\/127\.0\.0\.1:\d+: .*refused.*; start it with standin serve, or give its address with --url or --ui-port\n$/i,
  );
  const free = await runToEnd(["demo", "--ui-port=0"], { plugins: STANDARD_PLUGINS });
  assertStringIncludes(free.stderr, "Cannot find the instance");
  const odd = await runToEnd(["demo", "--url", "localhost"], { plugins: STANDARD_PLUGINS });
  assertStringIncludes(odd.stderr, 'Cannot read --url "localhost": expected an address like');
  await using service = await startService();
  assertEquals(
    (await demo(service, "fax")).stderr,
    'Error: unknown plugin "fax": plugins with samples are mail, sms, chat, files, s3, push, as2, snmp, hl7, webhook\n',
  );
});

Deno.test("demo recognizes a server that is not an instance", async () => {
  await using other = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("It works!"),
  );
  const url = `http://127.0.0.1:${other.addr.port}`;
  const { code, stderr } = await runToEnd(["demo", "--url", url], { plugins: STANDARD_PLUGINS });
  assertEquals(code, 1);
  assertStringIncludes(stderr, `Cannot use what answers at ${url}: it is not standin (status 200)`);
});

Deno.test("demo needs no extra permissions", async () => {
  await using program = await startProgram();
  const { code, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", ...PROGRAM_PERMISSIONS, "main.ts", "demo"],
      ...["--url", program.urls.api ?? ""],
    ],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assertEquals([code, decoder.decode(stderr)], [0, ""]);
  assertMatch(decoder.decode(stdout), /\nSent \d\d items; /);
});
