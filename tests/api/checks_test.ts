/** Checks over the API, in the library and in the client. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Finding, start } from "../../mod.ts";
import { connect } from "../../plugins/client.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { CHECKS as CHAT } from "../../plugins/chat/checks/mod.ts";
import { CHECKS as MAIL } from "../../plugins/mail/checks/mod.ts";
import { CHECKS as SMS } from "../../plugins/sms/checks/mod.ts";
import { findingsOf } from "../support/checks.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const PATH = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";

async function send(ingress: { readonly url: string }, Body: string): Promise<void> {
  const body = new URLSearchParams({ To: "+447700900123", From: "+447700900999", Body });
  const answer = await fetch(`${ingress.url}${PATH}`, { method: "POST", body });
  assertEquals(answer.status, 201);
  await answer.body?.cancel();
}

const GOOD = "Your parcel arrives today";
const BAD = "Hi {{name}}, your parcel arrives today";
const HINT = "Summer sale: shop now";

async function startWithThree(): Promise<TestService> {
  const service = await startService({ plugins: [sms, toy] });
  for (const body of [GOOD, BAD, HINT]) await send(service.ingress, body);
  return service;
}

type Bodies = { payload?: { body: string }; message?: { body: string } }[];
const bodiesOf = (list: Bodies) => list.map(({ payload, message }) => (payload ?? message)!.body);

Deno.test("an event's findings are listed; a clean event has none", async () => {
  await using service = await startWithThree();
  const [hint, bad, good] = await service.getJson<{ id: string }[]>("/events");
  assertEquals(await service.getJson(`/events/${good!.id}/checks`), { checks: [], count: 0 });
  const { checks, count } = await service.getJson<{ checks: Finding[]; count: number }>(
    `/events/${bad!.id}/checks`,
  );
  assertEquals(count, 1);
  assertEquals(checks[0], {
    id: "sms.placeholder",
    level: "error",
    message: '"{{name}}" looks like a placeholder that was not filled in',
    where: {
      part: "body",
      line: 1,
      column: 4,
      before: "Hi ",
      marked: "{{name}}",
      after: ", your parcel arrives today",
    },
  });
  const hinted = await service.getJson<{ checks: Finding[] }>(`/events/${hint!.id}/checks`);
  assertEquals(hinted.checks.map(({ id, level }) => [id, level]), [["sms.opt_out", "info"]]);
  const unknown = await service.getJson<{ error: string }>("/events/nothing/checks", 404);
  assertStringIncludes(unknown.error, 'Cannot find event "nothing"');
});

Deno.test("events of a plugin without checks have no findings", async () => {
  await using service = await startWithThree();
  await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: BAD })).text();
  const [event] = await service.getJson<{ id: string }[]>("/events?plugin=toy");
  assertEquals(await service.getJson(`/events/${event!.id}/checks`), { checks: [], count: 0 });
});

Deno.test("checks is a filter of lists, pages, waits and deletions", async () => {
  await using service = await startWithThree();
  for (const path of ["/events", "/sms/messages"]) {
    const list = (query: string) => service.getJson<Bodies>(`${path}?${query}`);
    assertEquals(bodiesOf(await list("checks=info")), [HINT, BAD]);
    assertEquals(bodiesOf(await list("checks=warning")), [BAD]);
    assertEquals(bodiesOf(await list("checks=error&search=parcel")), [BAD]);
    assertEquals(bodiesOf(await list("checks=info&limit=1&offset=1")), [BAD]);
    assertEquals(bodiesOf(await list("checks=info&text=sale")), [HINT]);
    const own = path === "/events" ? "type=sms.message&to=900123" : "to=900123";
    assertEquals(bodiesOf(await list(`checks=info&${own}`)), [HINT, BAD]);
    assertEquals(bodiesOf(await list("checks=info&count=2")), [HINT, BAD]);
  }
  const waiting = service.getJson<Bodies>("/events/wait?type=sms.message&checks=error&count=2");
  await send(service.ingress, GOOD);
  await send(service.ingress, "Dear ${name}");
  assertEquals(bodiesOf(await waiting), ["Dear ${name}", BAD]);
  await service.getJson("/events/wait?checks=error&count=3&absent=1&timeout=1ms");
  const refused = await service.getJson<{ error: string }>("/events?checks=bad", 400);
  assertStringIncludes(
    refused.error,
    'Cannot read checks "bad": expected one of error, warning, info',
  );
  await fetch(`${service.api.url}/api/v1/events?checks=error`, { method: "DELETE" });
  assertEquals(bodiesOf(await service.getJson<Bodies>("/events")), [GOOD, HINT, GOOD]);
});

Deno.test("an expectation sees ids and levels of findings", async () => {
  await using service = await startWithThree();
  const expect = async (body: unknown) => {
    const answer = await fetch(`${service.api.url}/api/v1/expect`, {
      method: "POST",
      body: JSON.stringify({ type: "sms.message", timeout: "1ms", ...body as object }),
    });
    return [answer.status, await answer.json()];
  };
  const [status, met] = await expect({ match: { "checks[*].id": "sms.placeholder" } });
  assertEquals([status, met.count, met.events[0].payload.body], [200, 1, BAD]);
  const clean = await expect({ count: 1, match: { "checks[*]": { exists: false } } });
  assertEquals(clean[1].events[0].payload.body, GOOD);
  const [missed, verdict] = await expect({
    match: { "checks[*].level": "warning", body: { contains: "Hi" } },
  });
  assertEquals(missed, 409);
  const fields = verdict.closest.fields as { path: string; got: unknown }[];
  assertEquals(fields.find(({ path }) => path === "checks[*].level")!.got, "error");
});

Deno.test("the library and the client list findings and wait for them", async () => {
  await using service = await start({ plugins: [sms], ports: 0 });
  for (const body of [GOOD, BAD]) await send(service.ingress, body);
  const event = await service.waitFor("sms.message", { checks: "error" });
  assertEquals(event.payload.body, BAD);
  assertEquals((await service.checks(event)).map(({ id }) => id), ["sms.placeholder"]);
  await assertRejects(
    () => service.waitFor("sms.message", { checks: "bad" as "error" }),
    RangeError,
    "checks must be one of error, warning, info",
  );
  const client = connect(service.api.url);
  const [found] = await client.list("sms.message", { checks: "warning" });
  assertEquals(found!.id, event.id);
  assertEquals(await client.checks(event.id), await service.checks(event));
});

Deno.test("an event that its checks cannot read has no findings, and is logged", async () => {
  const unreadable: typeof toy = {
    ...toy,
    checks: () =>
      Promise.resolve({
        read: () => {
          throw new Error("No such payload");
        },
        topics: [],
      }),
  };
  await using service = await startService({ plugins: [unreadable] });
  await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "x" })).text();
  assertEquals(await service.getJson("/events?checks=info"), []);
  const [event] = await service.getJson<{ id: string }[]>("/events");
  assertEquals(await service.getJson(`/events/${event!.id}/checks`), { checks: [], count: 0 });
  assertEquals(service.log.length, 1);
  assertStringIncludes(service.log[0]!, "Cannot check an event");
});

Deno.test("an event is checked once, on first request", async () => {
  let runs = 0;
  const counting: typeof toy = {
    ...toy,
    checks: () =>
      Promise.resolve({
        read: () => void runs++,
        topics: [],
      }),
  };
  await using service = await startService({ plugins: [counting] });
  const answer = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "x" });
  assertEquals([answer.status, await answer.text()], [200, "ok"]);
  const [event] = await service.getJson<{ id: string }[]>("/events");
  assertEquals(runs, 0);
  const path = `/events/${event!.id}/checks`;
  await Promise.all([service.getJson(path), service.getJson(path), service.getJson(path)]);
  await service.getJson("/events?checks=info");
  assertEquals(runs, 1);
});

Deno.test({
  name: "checks open no connection and no file, whatever an item links to",
  permissions: "none",
  async fn() {
    const link = "https://127.0.0.1:9/a.png";
    const mail = {
      from: { email: "ada@example.org" },
      subject: link,
      text: link,
      html:
        `<link rel=stylesheet href="${link}"><style>@import "${link}"; a{background:url(${link})}</style>
        <img src="${link}"><a href="${link}">${link}</a><iframe src="${link}"></iframe>`,
      headers: { "List-Unsubscribe": [`<${link}>`], "DKIM-Signature": ["v=1; d=example.org; s=a"] },
    };
    assert((await findingsOf(MAIL, { payload: mail, provider: "mail2" })).length > 3);
    const text = { to: "+1", from: "Ada", body: `See ${link}` };
    assert((await findingsOf(SMS, { payload: text })).length > 0);
    const post = { text: `@ada ${link}`, contents: [{ format: "chat1.blocks", json: [] }] };
    assert((await findingsOf(CHAT, { payload: post, provider: "chat1" })).length > 0);
  },
});
