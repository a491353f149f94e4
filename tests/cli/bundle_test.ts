/** `standin export` and `standin import`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";
import { runToEnd, type Said } from "./console.ts";

const PLUGINS = [mail, sms];

function run(service: TestService, ...args: readonly string[]): Promise<Said> {
  return runToEnd([...args, "--url", service.api.url], { plugins: PLUGINS });
}

async function filled(config: Record<string, unknown> = {}): Promise<TestService> {
  const service = await startService({ plugins: PLUGINS, config });
  const { code, stderr } = await run(service, "demo");
  assertEquals([code, stderr], [0, ""]);
  return service;
}

/** A folder that is removed when disposed of. */
async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function namesIn(path: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
}

Deno.test("a bundle exported from one instance is imported by another", async () => {
  await using place = await folder();
  const file = `${place.path}/run.zip`;
  let held: readonly string[];
  {
    await using first = await filled();
    held = first.list().map(({ id }) => id);
    const { code, stdout } = await run(first, "export", file);
    assertEquals(code, 0);
    assertMatch(stdout, /^Wrote \d+ bytes to .*run\.zip\n$/);
  }
  assertEquals(await namesIn(place.path), ["run.zip"]);
  await using second = await startService({ plugins: PLUGINS });
  const { stdout, stderr } = await run(second, "import", file);
  assertEquals(stderr, "");
  assertStringIncludes(
    stdout,
    `Imported ${held.length} events\nLook at them: ${second.ui.url}/ui/`,
  );
  assertEquals(second.list().map(({ id }) => id), held);
  const again = await run(second, "import", file);
  assertStringIncludes(again.stdout, `Imported 0 events, ${held.length} are already there`);
});

Deno.test("a bundle or mailbox export can be limited to events with findings", async () => {
  await using place = await folder();
  await using service = await startService({ plugins: [mail] });
  const post = async (text: string) => {
    const answer = await fetch(`${service.ingress.url}/emails`, {
      method: "POST",
      headers: { authorization: "Bearer re_any", "content-type": "application/json" },
      body: JSON.stringify({ from: "a@example.com", to: "b@example.org", subject: "s", text }),
    });
    assertEquals(answer.status, 200, await answer.text());
  };
  await post("Dear {{name}}, welcome");
  await post("Dear Ada, welcome");
  const har = `${place.path}/bad.har`;
  assertEquals((await run(service, "export", har, "--checks", "error")).stderr, "");
  const { log } = JSON.parse(await Deno.readTextFile(har));
  assertEquals(log.entries.length, 1);
  assertStringIncludes(log.entries[0].request.postData.text, "{{name}}");
  const mbox = `${place.path}/bad.mbox`;
  assertEquals((await run(service, "export", mbox, "--checks", "error")).stderr, "");
  const mailbox = await Deno.readTextFile(mbox);
  assertStringIncludes(mailbox, "{{name}}");
  assertEquals(mailbox.includes("Dear Ada"), false);
  const refused = await run(service, "export", har, "--checks", "bad");
  assertStringIncludes(
    refused.stderr,
    'Cannot read checks "bad": expected one of error, warning, info',
  );
  assertEquals(refused.code, 1);
});

Deno.test("a single plugin is exported by its name", async () => {
  await using place = await folder();
  const file = `${place.path}/sms.zip`;
  await using service = await filled();
  const count = service.events.count("sms");
  await run(service, "export", file, "--plugin", "sms");
  await service.reset();
  assertStringIncludes((await run(service, "import", file)).stdout, `Imported ${count} events`);
});

Deno.test("export and import send the token of an instance that requires one", async () => {
  await using place = await folder();
  const file = `${place.path}/run.zip`;
  const token = "0123456789abcdef0123456789abcdef";
  await using service = await startService({ plugins: PLUGINS, config: { api: { token } } });
  assertStringIncludes((await run(service, "export", file)).stderr, "--api-token");
  assertEquals((await run(service, "export", file, "--api-token", token)).code, 0);
  assertEquals((await run(service, "import", file, "--api-token", token)).code, 0);
});

Deno.test("the HAR file has every HTTP request once, with its body", async () => {
  await using place = await folder();
  const file = `${place.path}/run.har`;
  await using service = await filled();
  await run(service, "export", file);
  const { log } = JSON.parse(await Deno.readTextFile(file));
  assertEquals([log.version, log.creator.name], ["1.2", "standin"]);
  const bodies = new Set(
    service.list().filter(({ raw }) => raw.transport === "http").map(({ raw }) => raw.body),
  );
  assertEquals(log.entries.length, bodies.size);
  assert(log.entries.length > 3);
  const times = log.entries.map((entry: { startedDateTime: string }) => entry.startedDateTime);
  assertEquals(times, times.toSorted());
  for (const { _event, request, response } of log.entries) {
    const { raw } = service.events.get(_event)!;
    const { postData: { text, _encoding } } = request;
    const sent = _encoding === "base64"
      ? Uint8Array.fromBase64(text)
      : new TextEncoder().encode(text);
    assertEquals(sent, Uint8Array.from(raw.body));
    assertEquals([request.method, new URL(request.url).pathname], [
      raw.method,
      raw.path?.replace(/\?.*/, ""),
    ]);
    assertEquals(response.status, 0);
  }
});

clientTest(
  "Python reads every mail in the mailbox, with subject and attachments",
  ["python3"],
  async ({ python3 }) => {
    await using place = await folder();
    const file = `${place.path}/mails.mbox`;
    await using service = await filled();
    await run(service, "export", file);
    const script = "import json, mailbox, sys\n" +
      "from email.header import decode_header, make_header\n" +
      "print(json.dumps([[str(make_header(decode_header(m['subject']))), " +
      "sum(1 for p in m.walk() if p.get_filename())] for m in mailbox.mbox(sys.argv[1])]))";
    const { stdout } = await runOk(python3, ["-c", script, file]);
    const mails = service.list("mail.message").toReversed().map(({ payload }) => {
      const { subject, attachments = [] } = payload as {
        subject: string;
        attachments?: { filename?: string }[];
      };
      return [subject, attachments.filter(({ filename }) => filename !== undefined).length];
    });
    assert(mails.length > 2);
    assertEquals(JSON.parse(stdout), mails);
  },
);

Deno.test("an impossible export or import is reported", async () => {
  await using place = await folder();
  await using service = await startService({ plugins: PLUGINS });
  const faults: readonly (readonly [args: readonly string[], said: string])[] = [
    [["export"], "Cannot export without a file"],
    [["import"], "Cannot import without a file"],
    [["export", `${place.path}/none/x.zip`], "Cannot write"],
    [["import", `${place.path}/none.zip`], "Cannot read"],
    [["export", `${place.path}/x`, "--format", "tar"], "expected one of bundle, har, mbox"],
    [["export", `${place.path}/x.mbox`, "--plugin", "sms"], "only mail"],
  ];
  for (const [args, said] of faults) {
    const { code, stderr } = await run(service, ...args);
    assertEquals(code, 1, args.join(" "));
    assertStringIncludes(stderr, said);
  }
  await Deno.writeTextFile(`${place.path}/bad.zip`, "x");
  const { stderr } = await run(service, "import", `${place.path}/bad.zip`);
  assertStringIncludes(stderr, "Cannot read the bundle");
  assertEquals(await namesIn(place.path), ["bad.zip"]);
});
