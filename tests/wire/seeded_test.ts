/** With a fixed clock and a seed, the same requests get the same bytes. */
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { ConfigError, start, type StartOptions } from "../../mod.ts";
import { MllpClient } from "../support/mllp.ts";

const clock = { now: () => new Date("2026-01-31T12:00:00Z") };
const JSON_TYPE = { "content-type": "application/json" };

/** Requests to every HTTP provider, including refused ones. */
function requests(): (readonly [path: string, headers: Record<string, string>, body: string])[] {
  const mail = {
    From: { Email: "a@example.com" },
    To: [{ Email: "b@example.org" }],
    Subject: "Hi",
    TextPart: "Your code is 123456",
  };
  return [
    ["/v3.1/send", JSON_TYPE, JSON.stringify({ Messages: [mail, mail, { ...mail, To: [] }] })],
    ["/v3.1/send", JSON_TYPE, "{"],
    [
      "/v3/mail/send",
      JSON_TYPE,
      JSON.stringify({
        personalizations: [{ to: [{ email: "b@example.org" }] }],
        from: { email: "a@example.com" },
        subject: "Hi",
        content: [{ type: "text/plain", value: "Hello" }],
      }),
    ],
    [
      "/emails",
      { ...JSON_TYPE, authorization: "Bearer re_1" },
      JSON.stringify({ from: "a@example.com", to: "b@example.org", subject: "Hi", html: "<p>Hi" }),
    ],
    [
      "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json",
      { "content-type": "application/x-www-form-urlencoded" },
      "To=%2B15550100&From=%2B15550199&Body=Hello",
    ],
    ["/2010-04-01/Accounts/AC0/Messages.json", JSON_TYPE, "x"],
    [
      "/api/chat.postMessage",
      { ...JSON_TYPE, authorization: "Bearer x" },
      '{"channel":"C1","text":"Hi"}',
    ],
    ["/services/T0/B0/x", JSON_TYPE, '{"text":"Hi"}'],
    [
      "/v1/projects/demo/messages:send",
      { ...JSON_TYPE, authorization: "Bearer x" },
      '{"message":{"token":"abc","notification":{"title":"Hi"}}}',
    ],
    [`/3/device/${"ab".repeat(32)}`, { "apns-topic": "com.example" }, '{"aps":{"alert":"Hi"}}'],
    [`/3/device/nonsense`, {}, '{"aps":{"alert":"Hi"}}'],
    [
      "/as2",
      {
        "as2-from": "a",
        "as2-to": "b",
        "message-id": "<1@example.com>",
        "disposition-notification-to": "a@example.com",
        "content-type": "text/plain",
      },
      "Hello",
    ],
    ["/nowhere", {}, "x"],
  ];
}

/**
 * Everything that one run returns: responses with their headers, then every list. Ports are
 * replaced by names.
 */
async function run(options: StartOptions): Promise<string[]> {
  const config = { host: "127.0.0.1", ...options.config };
  await using standin = await start({ ports: 0, ...options, config });
  const said: unknown[] = [];
  const call = async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init);
    said.push([url, answer.status, [...answer.headers], await answer.text()]);
  };
  for (const [path, headers, body] of requests()) {
    await call(standin.ingress.url + path, { method: "POST", headers, body });
  }
  const s3 = standin.endpoint("s3/http");
  const mllp = standin.endpoint("mllp");
  await call(`${s3.url}/bucket`, { method: "PUT" });
  await call(`${s3.url}/bucket/key`, { method: "PUT", body: "content" });
  await call(`${s3.url}/bucket/large?uploads`, { method: "POST" });
  await call(`${s3.url}/bucket/none`, {});
  using hl7 = await MllpClient.open(mllp);
  await hl7.sendMessage("MSH|^~\\&|A|B|C|D|20260131||ADT^A01|7|T|2.5\rPID|1||42\r");
  said.push(await hl7.answer());
  for (
    const path of [
      ...["events", "rejected", "health", "events/wait", "mail/messages", "sms/messages"],
      ...["chat/messages", "push/messages", "hl7/messages", "as2/messages", "s3/uploads"],
    ]
  ) await call(`${standin.api.url}/api/v1/${path}`, {});
  const { ui, ingress } = standin;
  const ports = Object.entries({ ui, ingress, s3, mllp }).map(([name, { port }]) =>
    [`:${port}`, `:<${name}>`] as const
  );
  return said.map((one) =>
    ports.reduce((text, [port, name]) => text.replaceAll(port, name), JSON.stringify(one))
  );
}

Deno.test("answers and lists are the same bytes in every run with the same seed", async () => {
  const first = await run({ clock, seed: "one" });
  assertEquals(await run({ clock, seed: "one" }), first);
  assertNotEquals(await run({ clock, seed: "two" }), first);
  const repeat = { seed: "one", time: clock.now() };
  assertEquals(await run({ config: { repeat } }), first);
});

Deno.test("an invalid time is refused", async () => {
  await assertRejects(
    () => start({ ports: 0, config: { repeat: { time: "noon" } } }),
    ConfigError,
    'expected a time such as "2026-01-31T12:00:00Z"',
  );
});

Deno.test("a seed cannot be combined with a data folder", async () => {
  await assertRejects(
    () => start({ ports: 0, seed: "one", persist: "/nowhere/at/all" }),
    ConfigError,
    "Cannot keep files across runs with a seed",
  );
});
