/** Answers full of long messages that nobody reads: each holds no more than a piece of them. */
import { assertEquals, assertLess } from "@std/assert";
import { noise } from "../support/files.ts";
import { latin1 } from "../support/hostile.ts";
import { MllpClient } from "../support/mllp.ts";
import { listening } from "../support/program.ts";
import { residentBytes, startTarget, type Target } from "../support/under_attack.ts";
import { ask, holdsLittle } from "../support/unread.ts";

const MAILS = 11;
const MAIL_BYTES = 20 * 1024 * 1024;
const READERS = 100;
/** One of them whole for each reader would be two thousand MiB. */
const MAX_GROWTH_BYTES = 900 * 1024 ** 2;

async function send(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assertEquals(response.status, 202, await response.text());
}

/** The id of the last of some long mails. Nothing makes their text much shorter. */
async function sendMails(target: Target): Promise<string> {
  const half = noise(MAIL_BYTES / 4).toHex();
  for (let i = 0; i < MAILS; i++) {
    await send(`${target.urls.ingress}/v3/mail/send`, {
      personalizations: [{ to: [{ email: "to@example.com" }] }],
      from: { email: "from@example.com" },
      subject: `Long ${i}`,
      content: [
        { type: "text/plain", value: half },
        { type: "text/html", value: `<p>${half}` },
      ],
    });
  }
  return await lastId(target);
}

async function lastId(target: Target): Promise<string> {
  const list = await fetch(`${target.urls.api}/api/v1/events?limit=1&include_payload=false`);
  return (await list.json())[0].id;
}

/** Asks for each path by many that read nothing. */
async function checkPaths(t: Deno.TestContext, target: Target, paths: readonly string[]) {
  const restBytes = await residentBytes(target.pid);
  for (const path of paths) {
    await t.step(path, async () => {
      const url = `${target.urls.api}/api/v1${path}`;
      await holdsLittle(target, { restBytes, most: MAX_GROWTH_BYTES }, () => ask(url, READERS));
    });
  }
}

Deno.test("answers about mails that nobody reads hold no more than a piece of them", async (t) => {
  await using target = await startTarget();
  const id = await sendMails(target);
  await checkPaths(t, target, [
    "/events",
    "/events?include_raw=1",
    `/events/${id}`,
    "/mail/messages",
    `/mail/messages/${id}`,
    `/mail/messages/${id}/raw`,
    `/mail/messages/${id}/raw?format=eml`,
    `/mail/messages/${id}/text`,
    `/mail/messages/${id}/html`,
    `/mail/messages/${id}/html?cid=1`,
    "/mail/mbox",
    "/export?format=har",
    "/export",
    "/events/stream?include_raw=1&after=0",
  ]);
});

const REFUSALS = 200;
/** Each list is 28 MiB of text: written as a whole for each reader they would be 2800 MiB. */
const MAX_REFUSED_BYTES = 300 * 1024 ** 2;

Deno.test("answers about refused requests hold no more than a piece of them, unread or read", async (t) => {
  await using target = await startTarget();
  const body = noise(30_000).toHex();
  for (let i = 0; i < REFUSALS; i++) {
    const refused = await fetch(`${target.urls.ingress}/nowhere`, { method: "POST", body });
    await refused.body?.cancel();
  }
  const url = `${target.urls.api}/api/v1/rejected`;
  const restBytes = await residentBytes(target.pid);
  await t.step("unread", async () => {
    await holdsLittle(target, { restBytes, most: MAX_REFUSED_BYTES }, () => ask(url, READERS));
  });
  await t.step("read again and again", async () => {
    const { peakBytes } = await target.measure(async () => {
      for (let i = 0; i < 10; i++) assertEquals((await (await fetch(url)).json()).length, REFUSALS);
    });
    assertLess(peakBytes - restBytes, MAX_REFUSED_BYTES);
  });
});

Deno.test("answers about HL7 messages that nobody reads hold no more than a piece of them", async (t) => {
  await using target = await startTarget();
  const { port } = (await listening(target)).endpoint("mllp");
  using client = await MllpClient.open({ hostname: "127.0.0.1", port });
  const text = `MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\rPID|1||${"4711^^^H~".repeat(60_000)}`;
  await client.send(latin1(`\x0b${text}\x1c\r`));
  await client.answer();
  const id = await lastId(target);
  await checkPaths(t, target, [
    "/events",
    `/events/${id}`,
    "/hl7/messages",
    `/hl7/messages/${id}`,
    `/hl7/messages/${id}/values?path=PID-3.1`,
    `/hl7/messages/${id}/raw`,
    "/export",
  ]);
});
