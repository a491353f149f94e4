/**
 * A plugin's filters work wherever its events are queried, in the library, the client and over
 * HTTP; unknown options are refused by name.
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { ConfigError, mail, type Standin, start } from "../../mod.ts";
import { connect, RequestError } from "../../plugins/client.ts";
import { toy } from "../support/toy.ts";

async function send({ ingress }: Standin, to: string, subject: string): Promise<void> {
  const answer = await fetch(`${ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "shop@example.com", to, subject, text: "Your code is 493201." }),
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 200);
}

async function started(): Promise<Standin> {
  const standin = await start({ ports: 0, config: { host: "127.0.0.1" } });
  await send(standin, "ada@example.org", "Welcome");
  await send(standin, "bob@example.org", "Invoice 1");
  await send(standin, "ada@example.org", "Invoice 2");
  const sms = await fetch(`${standin.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`, {
    method: "POST",
    body: new URLSearchParams({ To: "+15550100", From: "+15550199", Body: "Invoice" }),
  });
  await sms.body?.cancel();
  return standin;
}

interface Subject {
  readonly payload: { readonly subject?: string | undefined };
}
const subjects = (events: readonly Subject[]) => events.map(({ payload }) => payload.subject);

Deno.test("the library waits, expects, lists and clears by the plugin's filters", async () => {
  await using standin = await started();
  const { payload } = await standin.waitFor("mail.message", { to: "bob", timeoutMs: 0 });
  assertEquals(payload.subject, "Invoice 1");
  const coming = standin.waitFor("mail.message", { to: "eve@example.org" });
  await send(standin, "eve@example.org", "Late");
  assertEquals((await coming).payload.subject, "Late");
  const ada = { to: "ada", subject: "invoice" };
  assertEquals(subjects(await standin.expect("mail.message", { ...ada, timeoutMs: 0 })), [
    "Invoice 2",
  ]);
  assertEquals(subjects(await standin.expect({ type: "mail.message", ...ada })), ["Invoice 2"]);
  assertEquals(await standin.expect({ type: "mail.message", to: "nobody", none: true }), []);
  assertEquals(
    await standin.expect({ order: [{ type: "mail.message" }, { plugin: "sms" }] }).then(
      (events) => events.map(({ type }) => type),
    ),
    ["mail.message", "sms.message"],
  );
  assertEquals(subjects(standin.list("mail.message", { subject: "INVOICE" })), [
    "Invoice 2",
    "Invoice 1",
  ]);
  assertEquals(standin.list("hl7.message", { path: "PID-3.1", value: "1" }), []);
  assertEquals(standin.clear("mail", { subject: "Invoice", to: "bob" }), 1);
  for (const falsy of [undefined, null, 0, "", NaN]) {
    assertEquals(standin.clear("mail", { match: () => falsy as never }), 0, String(falsy));
  }
  const isLate = (summary: string) => (summary.includes("Late") ? "yes" : "") as never;
  assertEquals(standin.clear("mail", { match: ({ summary }) => isLate(summary) }), 1);
  assertEquals(standin.clear(undefined, { type: "sms.message" }), 1);
  assertEquals(subjects(standin.list("mail.message")), ["Invoice 2", "Welcome"]);
  assertEquals([standin.clear("mail"), standin.list()], [2, []]);
});

Deno.test("the library refuses options that nothing reads", async () => {
  await using standin = await started();
  const wait = (options: unknown, type: unknown = "mail.message") =>
    standin.waitFor(type as string, options as Record<never, never>);
  const refused: readonly (readonly [() => unknown, string])[] = [
    [() => wait({ subjct: "x" }), 'unknown option "subjct"; did you mean "subject"? known are'],
    [() => wait({ timeout: 5 }), 'did you mean "timeoutMs"?'],
    [() => wait({ count: 2 }), 'unknown option "count"'],
    [() => wait({ subject: "x" }, "sms.message"), 'unknown option "subject"'],
    [() => wait({ path: "/a" }, "files.upload"), 'unknown option "path"'],
    [() => wait({ to: { contains: "ada" } }), "Cannot use to: expected text"],
    [() => wait({ to: "" }), "Cannot use to: expected text that is not empty"],
    [() => wait({ has_attachments: "maybe" }), "Cannot read has_attachments"],
    [() => wait({ match: { subject: "x" } }), "conditions by path are for expect"],
    [() => wait({ after: "0123" }), "after must be an event"],
    [() => wait({ since: "5m" }), "since must be a Date"],
    [() => wait({ since: new Date(NaN) }), "since must be a Date with a time"],
    [() => wait({ match: async () => await false }), "not a promise of it"],
    [() => wait({ timeoutMs: "5s" }), "timeoutMs must be a number"],
    [() => wait({ has: "codes" }), "has must be one of code, link, token"],
    [() => wait({}, { type: "mail.message" }), "expected the event type as text"],
    [() => wait({ value: "x" }, "hl7.message"), "Cannot use value without path"],
    [() => standin.expect({ none: true, tpye: "x" } as never), 'did you mean "type"?'],
    [
      () => standin.expect({ type: "mail.message", subjct: "x" } as never),
      'did you mean "subject"?',
    ],
    [() => standin.expect({ subject: "x" } as never), "it is a filter of mail"],
    [() => standin.expect("mail.message", { type: "sms.message" } as never), "given twice"],
    [() => standin.expect({} as never, { none: true } as never), "given twice"],
    [() => standin.expect("mail.message", { has_attachments: 7 } as never), "has_attachments"],
    [
      () => standin.stories({ min_events: 2 } as never),
      'Cannot list stories: unknown option "min_events"; did you mean "minEvents"?',
    ],
    [() => standin.checks("0123" as never), 'expected an event, as list returns it, not "0123"'],
    [() => standin.extract(standin.list("hl7.message")[0]!), "Cannot extract: expected an event"],
    [() => standin.callback("0", "bounced", {}, { timeout: 5 } as never), 'mean "timeoutMs"?'],
    [() => standin.inbound("sms1", {}, { timeout: 5 } as never), 'did you mean "timeoutMs"?'],
    [() => standin.inbound("sms1", {}, { timeoutMs: NaN }), "timeoutMs must be a number"],
    [
      () => standin.expect({ type: "mail.message", order: [{ to: "ada", subjct: "x" }] } as never),
      "Cannot use order[0]: unknown key",
    ],
  ];
  for (const [call, message] of refused) {
    const error = await assertRejects(async () => await call(), RangeError);
    assertStringIncludes(error.message, message);
  }
  const list = (options: unknown) => standin.list("mail.message", options as never);
  assertThrows(() => list({ limit: 1 }), RangeError, 'unknown option "limit"');
  const clear = (...args: unknown[]) => standin.clear(...args as [string]);
  assertThrows(() => clear({ plugin: "mail" }), RangeError, "expected the id of a plugin as text");
  assertThrows(() => clear("mail", { subjct: "x" }), RangeError, 'did you mean "subject"?');
  // A promise is always true, so it would delete everything.
  const later = { match: async () => await false };
  assertThrows(() => clear("mail", later), RangeError, "Cannot clear events: match must return");
  const namespaced = { namespce: "t1" } as never;
  assertThrows(() => standin.events.clear("mail", namespaced), RangeError, 'mean "namespace"?');
  assertThrows(() => standin.events.list(namespaced), RangeError, 'mean "namespace"?');
  assertThrows(() => standin.events.list({}, { offest: 1 } as never), RangeError, '"offset"?');
  await (await fetch(`${standin.ingress.url}/nowhere`)).body?.cancel();
  const misspelt = { provdier: "smtp" } as never;
  assertThrows(() => standin.rejected.list(misspelt), RangeError, 'did you mean "provider"?');
  assertThrows(() => standin.rejected.clear(misspelt), RangeError, 'did you mean "provider"?');
  assertEquals(standin.rejected.count, 1);
  const stop = standin.stop as (options: unknown) => Promise<void>;
  await assertRejects(async () => await stop.call(standin, { grace: 1 }), RangeError, "graceMs");
  assertEquals(standin.events.count(), 4);
});

Deno.test("start() refuses options and ports that it would not use", async () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [{ port: 0 }, 'Cannot start: unknown option "port"; did you mean "ports"? known are plugins'],
    [{ ports: 8811 }, "Cannot use ports 8811: expected 0"],
    [{ plugins: [mail], ports: 0, config: { ingres: {} } }, "ingres"],
  ];
  for (const [options, message] of refused) {
    const error = await assertRejects(() => start(options as never), ConfigError);
    assertStringIncludes(error.message, message);
  }
});

Deno.test("the client waits, expects, lists and clears by the plugin's filters", async () => {
  await using standin = await started();
  const client = connect(standin.api.url);
  assertEquals(
    (await client.waitFor("mail.message", { to: "bob" })).payload.subject,
    "Invoice 1",
  );
  const nobody = await assertRejects(
    () => client.waitFor("mail.message", { to: "nobody@x", timeoutMs: 5 }),
    RequestError,
  );
  assertEquals(nobody.status, 409);
  assertEquals(subjects(await client.list("mail.message", { subject: "invoice", limit: 1 })), [
    "Invoice 2",
  ]);
  const [bobs, ...more] = await client.list(undefined, { plugin: "mail", to: "bob" });
  assertEquals([bobs?.summary, more], ["shop@example.com -> bob@example.org: Invoice 1", []]);
  const ada = { to: "ada", subject: "invoice" };
  assertEquals(subjects(await client.expect("mail.message", ada)), ["Invoice 2"]);
  assertEquals(subjects(await client.expect({ type: "mail.message", ...ada })), ["Invoice 2"]);
  await client.clear({ plugin: "mail", subject: "Invoice" });
  assertEquals(subjects(await client.list("mail.message")), ["Welcome"]);
  await client.clear({ type: "sms.message" });
  assertEquals((await client.list()).length, 1);
});

Deno.test("the client reports the service's refusals, and refuses what it would not send", async () => {
  await using standin = await started();
  const client = connect(standin.api.url);
  const at = (call: unknown) => call as (...args: unknown[]) => Promise<unknown>;
  const asked: readonly (readonly [keyof typeof client, unknown[], string])[] = [
    ["waitFor", ["mail.message", { subjct: "x" }], 'did you mean "subject"?'],
    ["waitFor", ["mail.message", { match: { subject: "x" } }], "conditions by path are for expect"],
    ["waitFor", ["mail.message", { count: 2 }], 'Cannot use option "count"'],
    ["waitFor", ["mail.message", { absent: true }], 'Cannot use option "absent"'],
    ["wait", ["mail.message", { type: "sms.message" }], "the type is the first argument"],
    ["wait", [{ type: "mail.message" }], "expected the event type as text"],
    ["wait", ["mail.message", { to: "" }], 'Cannot use option "to": it is empty'],
    ["list", ["sms.message", { subject: "x" }], 'unknown parameter "subject"'],
    ["list", ["mail.message", { timeoutMs: 5 }], 'unknown parameter "timeoutMs"'],
    ["expect", ["mail.message", { subjct: "x" }], 'unknown key "subjct"; did you mean "subject"?'],
    ["expect", ["mail.message", { type: "sms.message" }], "the type is the first argument"],
    ["expect", [{ none: true }, {}], "into one object"],
    ["expectInOrder", [[{ sumary: "x" }]], 'unknown key "sumary"'],
    ["clear", [{ plugni: "mail" }], 'did you mean "plugin"?'],
    ["clear", [{ subject: "Invoice" }], "is a filter of mail"],
    ["clear", [{ plugin: "mail", limit: 1 }], 'unknown parameter "limit"'],
    ["blob", ["0", { from: 1 }], 'unknown option "from"'],
    ["story", ["0", { window: 5 }], 'unknown option "window"; did you mean "windowMs"?'],
    ["callback", ["0", "bounced", {}, { timeout: 5 }], 'did you mean "timeoutMs"?'],
    ["callbacks", ["0", { timeout: 5 }], 'unknown option "timeout"; did you mean "timeoutMs"?'],
    ["inbound", ["sms1", {}, { timeout: 5 }], 'unknown option "timeout"'],
  ];
  for (const [method, args, message] of asked) {
    const error = await assertRejects(() => at(client[method]).call(client, ...args), Error);
    assertStringIncludes(error.message, message, `${method} ${JSON.stringify(args)}`);
    assert(error instanceof RequestError ? error.status === 400 : error instanceof RangeError);
  }
  const stream = client.stream({ subject: "x" } as never);
  await assertRejects(() => stream.next(), RequestError, 'unknown parameter "subject"');
  assertThrows(
    () => connect(standin.api.url, { header: {} } as never),
    RangeError,
    'unknown option "header"; did you mean "headers"?',
  );
  assertEquals(standin.events.count(), 4);
});

Deno.test("waits over HTTP accept the filters of the named plugin", async () => {
  await using standin = await started();
  const ask = async (search: string): Promise<readonly [number, string[] | string]> => {
    const response = await fetch(`${standin.api.url}/api/v1/events/wait?timeout=5ms&${search}`);
    const body = await response.json();
    return [
      response.status,
      response.ok ? body.map(({ summary }: { summary: string }) => summary) : body.error,
    ];
  };
  assertEquals(await ask("type=mail.message&to=bob"), [200, [
    "shop@example.com -> bob@example.org: Invoice 1",
  ]]);
  assertEquals((await ask("plugin=mail&subject=invoice&count=2"))[1].length, 2);
  assertEquals((await ask("type=mail.message&to=nobody@x"))[0], 409);
  assertEquals(await ask("to=nobody@x"), [
    400,
    'unknown parameter "to"; it is a filter of mail, sms, as2: name it with plugin or type',
  ]);
  assertEquals((await ask("type=fax.page&to=x"))[0], 400);
});

Deno.test("a plugin cannot redefine a common filter", async () => {
  const clashing = {
    ...toy,
    filters: {
      query: { limit: { about: "", schema: {}, read: () => 1 } },
      select: () => ({ matches: () => true }),
    },
  };
  await assertRejects(
    () => start({ plugins: [clashing], ports: 0 }),
    ConfigError,
    'Cannot use filter "limit" of plugin "toy"',
  );
});
