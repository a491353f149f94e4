/** Stories are the same after a restart, and on every instance. */
import { assert, assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { Story } from "../../plugins/client.ts";
import { scratch } from "../support/files.ts";
import { requireNats } from "../support/nats.ts";
import { startService, type TestService } from "../support/service.ts";

const TRACED = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };

function start(storage: Readonly<Record<string, unknown>>): Promise<TestService> {
  return startService({ plugins: [mail, sms], config: { storage } });
}

async function post(
  { ingress }: TestService,
  path: string,
  { body, headers = {} }: { body: BodyInit; headers?: Readonly<Record<string, string>> },
): Promise<void> {
  const answer = await fetch(ingress.url + path, {
    method: "POST",
    body,
    headers: { ...TRACED, ...headers },
  });
  await answer.body?.cancel();
  assert(answer.ok);
}

/** Two mails of one request. */
async function sendMails(service: TestService): Promise<void> {
  const person = (email: string) => ({ to: [{ email }] });
  await post(service, "/v3/mail/send", {
    headers: { authorization: "Bearer SG.key", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [person("ada@example.org"), person("bob@example.org")],
      from: { email: "shop@example.com" },
      subject: "Invoice",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
}

async function sendSms(service: TestService): Promise<void> {
  const path = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
  const body = new URLSearchParams({ To: "+447700900123", From: "+447700900999", Body: "Hi" });
  await post(service, path, { body });
}

/** Without page URLs, whose ports differ. */
async function storiesOf(service: TestService): Promise<unknown> {
  const { stories } = await service.getJson<{ stories: Story[] }>("/stories?window=0");
  return stories.map(({ events, ...story }) => ({
    ...story,
    events: events.map(({ url: _, ...event }) => event),
  }));
}

Deno.test("stories are the same after a restart", async () => {
  await using folder = await scratch();
  const storage = { events: "filesystem", path: folder.path };
  const first = await start(storage);
  await sendMails(first);
  await sendSms(first);
  const before = await storiesOf(first);
  assertEquals((before as Story[]).map(({ count }) => count), [3]);
  await first.stop();
  await using second = await start(storage);
  assertEquals(await storiesOf(second), before);
});

Deno.test("instances on NATS return the same story of what each captured", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  const storage = { events: "nats", nats: { servers: nats.servers, prefix: "stories" } };
  await using one = await start(storage);
  await using other = await start(storage);
  await sendMails(one);
  await sendSms(other);
  const told = await storiesOf(one) as Story[];
  assertEquals(told.map(({ plugins, count }) => [plugins, count]), [[["mail", "sms"], 3]]);
  assertEquals(await storiesOf(other), told);
  one.events.clear("sms");
  await one.events.settled();
  assertEquals((await storiesOf(other) as Story[]).map(({ count }) => count), [2]);
});
