/**
 * `mod.ts` as tests use it: every kind of text, persistence, several services, and no leftovers.
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ExpectationError, files, mail, type Standin, start, TimeoutError } from "../../mod.ts";
import { FtpClient } from "../support/ftp.ts";
import type { TestService } from "../support/service.ts";

const host = { host: "127.0.0.1" };
const JSON_TYPE = { "content-type": "application/json" };

async function post(
  { ingress }: Standin,
  path: string,
  { headers = JSON_TYPE, body }: { headers?: HeadersInit; body: BodyInit },
): Promise<void> {
  const answer = await fetch(ingress.url + path, { method: "POST", headers, body });
  assertEquals(answer.ok, true, await answer.text());
}

async function sendMail(standin: Standin, more: Record<string, unknown> = {}): Promise<void> {
  await post(standin, "/emails", {
    headers: { ...JSON_TYPE, authorization: "Bearer re_any" },
    body: JSON.stringify({
      from: "a@example.com",
      to: "b@example.org",
      subject: "Hi",
      text: "Hello",
      ...more,
    }),
  });
}

Deno.test("codes, links and tokens are found in mails, text messages, chats and pushes", async () => {
  await using standin = await start({ ports: 0, config: host });
  const link = "https://example.org/reset?token=0b6f2c1e8f4d4c559d8e";
  await sendMail(standin, {
    html: `<p>Your code is</p><p><b>482913</b></p><a href="${link}&amp;lang=en">Reset</a>`,
  });
  await post(standin, "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ To: "+15550100", From: "+15550199", Body: "482913 is your code" }),
  });
  await post(standin, "/services/T0/B0/x", {
    body: JSON.stringify({
      text: "Your code is 482913",
      blocks: [{
        type: "actions",
        elements: [{ type: "button", text: { type: "plain_text", text: "Open" }, url: link }],
      }],
    }),
  });
  await post(standin, "/v1/projects/demo/messages:send", {
    headers: { ...JSON_TYPE, authorization: "Bearer x" },
    body: JSON.stringify({
      message: {
        token: "t",
        notification: { title: "Sign in", body: link },
        data: { otp: "482913" },
      },
    }),
  });
  for (const type of ["mail.message", "sms.message", "chat.message", "push.message"]) {
    const [event] = await standin.expect(type, { match: { "codes[0]": "482913" }, timeoutMs: 0 });
    const { links, tokens } = await standin.extract(event!);
    if (type === "sms.message") continue;
    assertStringIncludes(links[0]!, link, type);
    assertEquals(tokens[0], "0b6f2c1e8f4d4c559d8e", type);
  }
  assertEquals(standin.list().length, 4);
});

Deno.test("payloads are typed by their event type", async () => {
  await using standin = await start({ ports: 0, providers: ["mail3"], config: host });
  await sendMail(standin, { text: "Hello" });
  const { payload } = await standin.waitFor("mail.message", {
    match: ({ payload: { to = [] } }) => to.some(({ email }) => email === "b@example.org"),
  });
  const subject: string | undefined = payload.subject;
  assertEquals(subject, "Hi");
  const [first] = await standin.expect("mail.message", { match: { text: { contains: "Hello" } } });
  const email: string | undefined = first?.payload.to?.[0]?.email;
  assertEquals(email, "b@example.org");
  const [listed] = standin.list("mail.message", {
    match: ({ payload }) => payload.text === "Hello",
  });
  assertEquals(listed?.id, first?.id);
  const [none] = standin.list("hl7.message");
  assertEquals(none?.payload.header.control_id, undefined);
});

Deno.test("two services in one process are isolated", async () => {
  await using one = await start({ plugins: [mail], ports: 0, config: host });
  await using two = await start({ plugins: [mail], ports: 0, config: host });
  await sendMail(one, { subject: "One" });
  await sendMail(two, { subject: "Two" });
  await one.expect("mail.message", { count: 1, match: { subject: "One" } });
  await two.expect("mail.message", { count: 1, match: { subject: "Two" } });
  await one.reset();
  assertEquals([one.list().length, two.list().length], [0, 1]);
  await one.stop();
  await one.finished;
  await sendMail(two, { subject: "Three" });
  assertEquals(two.list().length, 2);
});

Deno.test("starting and stopping a hundred services leaks nothing", async () => {
  for (let i = 0; i < 100; i++) {
    await using standin = await start({ ports: 0, config: host });
    if (i % 10 === 0) await sendMail(standin);
  }
});

Deno.test("events in a data folder are found again", async () => {
  const folder = await Deno.makeTempDir();
  try {
    {
      await using standin = await start({
        plugins: [files],
        ports: 0,
        persist: folder,
        config: host,
      });
      await using ftp = await FtpClient.open(standin as unknown as TestService);
      await ftp.put("STOR kept.txt", new TextEncoder().encode("kept"));
      await standin.waitFor("files.upload");
    }
    await using standin = await start({
      plugins: [files],
      ports: 0,
      persist: folder,
      config: host,
    });
    const answer = await fetch(`${standin.api.url}/api/v1/files/content/kept.txt`);
    assertEquals(await answer.text(), "kept");
    assertEquals(standin.list(), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("stopping ends waits and expectations, with a reason", async () => {
  const standin = await start({ plugins: [mail], ports: 0, config: host });
  const waits = [
    assertRejects(() => standin.waitFor("mail.message"), TimeoutError, "the service stopped"),
    assertRejects(() => standin.expect("mail.message"), TimeoutError, "the service stopped"),
  ];
  while (standin.events.watchers < waits.length) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await standin.stop();
  await Promise.all(waits);
});

Deno.test("a wait may last longer than any timer", async () => {
  await using standin = await start({ plugins: [mail], ports: 0, config: host });
  const waits = [Infinity, 2 ** 31].map((timeoutMs) =>
    standin.waitFor("mail.message", { timeoutMs })
  );
  // A timer of such a delay would end them before the email is answered.
  await sendMail(standin, { subject: "At last" });
  for (const { payload } of await Promise.all(waits)) assertEquals(payload.subject, "At last");
});

Deno.test("no wait misses a burst within one turn of the event loop", async () => {
  await using standin = await start({ plugins: [mail], ports: 0, config: host });
  const wait = standin.waitFor("mail.message", { match: (event) => event.summary === "999" });
  const count = standin.expect("mail.message", { count: 1000 });
  while (standin.events.watchers < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  for (let i = 0; i < 1000; i++) {
    standin.events.add("mail", "smtp", {
      type: "mail.message",
      summary: String(i),
      payload: {},
      raw: { transport: "smtp", text: true, body: new Uint8Array() },
    });
  }
  assertEquals((await wait).summary, "999");
  // The store holds 500; all of them arrived.
  assertEquals((await count).length, 500);
});

Deno.test("a failed expectation says in one message what differs", async () => {
  await using standin = await start({ plugins: [mail], ports: 0, config: host });
  await sendMail(standin, { subject: "Welcome, Ada", text: "Hello" });
  const error = await assertRejects(
    () =>
      standin.expect("mail.message", {
        match: { subject: "Welcome, Bob", "to[0].email": { contains: "@example.org" } },
        timeoutMs: 20,
      }),
    ExpectationError,
  );
  const [head, ...lines] = error.message.split("\n");
  assertStringIncludes(
    head!,
    "Cannot find what was expected after 20 ms: 0 events match, expected at least 1",
  );
  assertEquals(lines, [
    '  matches type: "mail.message"',
    '  differs subject: expected "Welcome, Bob", got "Welcome, Ada"',
    '  matches to[0].email: "b@example.org"',
  ]);
});
