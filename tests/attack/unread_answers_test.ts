/** Unread responses full of long messages: each holds no more than one chunk. */
import { assertEquals, assertLess } from "@std/assert";
import { noise } from "../support/files.ts";
import { latin1 } from "../support/hostile.ts";
import { MllpClient } from "../support/mllp.ts";
import { FREE_PORTS, listening } from "../support/program.ts";
import { BESIDE_BYTES, mib, startTarget, type Target } from "../support/under_attack.ts";
import { ask, holdsLittle } from "../support/unread.ts";
import { askHttp2 } from "../support/unread_http2.ts";

const MAILS = 10;
const MAIL_BYTES = 4 * 1024 * 1024;
const READERS = 100;
const LIMIT_BYTES = 128_000_000;
const ARGS = ["serve", ...FREE_PORTS, `--memory-limit=${LIMIT_BYTES}`];

async function send(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assertEquals(response.status, 202, await response.text());
}

/** Sends some long mails and returns the id of the last one. Their text does not compress well. */
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

/** Requests each path from many clients that read nothing. */
async function checkPaths(t: Deno.TestContext, target: Target, paths: readonly string[]) {
  for (const path of paths) {
    await t.step(path, async () => {
      const url = `${target.urls.api}/api/v1${path}`;
      await holdsLittle(target, LIMIT_BYTES, () => ask(url, READERS));
    });
  }
}

Deno.test("unread answers about mails hold no more than one chunk", async (t) => {
  await using target = await startTarget({ args: ARGS });
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

Deno.test("unread HTTP/2 answers hold no more, on any number of streams", async (t) => {
  const config = await Deno.makeTempFile({ suffix: ".toml" });
  await Deno.writeTextFile(config, "[ui]\nh2c = true\n");
  await using target = await startTarget({ args: [...ARGS, `--config=${config}`] });
  await sendMails(target);
  for (
    const path of [
      "/api/v1/events",
      "/api/v1/events/stream?include_raw=1&after=0",
      "/ui/stream",
      "/api/v1/export",
    ]
  ) {
    await t.step(path, async () => {
      const url = `${target.urls.api}${path}`;
      await holdsLittle(target, LIMIT_BYTES, () => askHttp2(url, { connections: 8, streams: 200 }));
    });
  }
  await Deno.remove(config);
});

/** Sends a long mail to a provider that returns it, and returns its address there. */
async function sendReadable({ urls }: Target): Promise<string> {
  const response = await fetch(`${urls.ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_1", "content-type": "application/json" },
    body: JSON.stringify({
      from: "from@example.com",
      to: ["to@example.com"],
      subject: "Long",
      html: noise(MAIL_BYTES / 2).toHex(),
    }),
  });
  return `/emails/${(await response.json()).id}`;
}

Deno.test("unread answers of providers hold no more, over any version of HTTP, with TLS or without", async (t) => {
  await using target = await startTarget({ args: ARGS });
  const path = await sendReadable(target);
  const ingress = new URL(target.urls.ingress!);
  const caCerts = [await (await fetch(`${target.urls.api}/api/v1/tls/ca.pem`)).text()];
  const store = `http://127.0.0.1:${(await listening(target)).endpoint("http").port}`;
  for (const [at, body] of [["/box", null], ["/box/large", noise(15_000_000)]] as const) {
    const put = await fetch(`${store}${at}`, { method: "PUT", body });
    assertEquals(put.status, 200, await put.text());
  }
  const places: Readonly<Record<string, string>> = {
    ingress: `http://127.0.0.1:${ingress.port}${path}`,
    "ingress, TLS": `https://localhost:${ingress.port}${path}`,
    S3: `${store}/box/large`,
  };
  const fields = [["authorization", "Bearer re_1"]] as const;
  for (const [name, url] of Object.entries(places)) {
    await t.step(`HTTP/2, ${name}`, async () => {
      const many = { connections: 8, streams: 200, fields, caCerts };
      await holdsLittle(target, LIMIT_BYTES, () => askHttp2(url, many));
    });
    await t.step(`HTTP/1.1, ${name}`, async () => {
      const many = { requests: 5, fields, caCerts };
      await holdsLittle(target, LIMIT_BYTES, () => ask(url, 4 * READERS, many));
    });
  }
});

Deno.test("unread answers that a user scripted hold no more than one chunk", async (t) => {
  await using target = await startTarget({ args: ARGS });
  const scripted = await fetch(`${target.urls.api}/api/v1/webhook/answers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "*", body: noise(MAIL_BYTES / 8).toHex() }),
  });
  assertEquals(scripted.status, 201, await scripted.text());
  const url = `${target.urls.ingress}/hook/long`;
  await t.step("HTTP/1.1", async () => {
    await holdsLittle(target, LIMIT_BYTES, () => ask(url, 4 * READERS));
  });
  await t.step("HTTP/2", async () => {
    const many = { connections: 8, streams: 200 };
    await holdsLittle(target, LIMIT_BYTES, () => askHttp2(url, many));
  });
});

const REFUSALS = 200;

Deno.test("answers about refused requests hold no more than one chunk, read or unread", async (t) => {
  await using target = await startTarget({ args: ARGS });
  const body = noise(30_000).toHex();
  for (let i = 0; i < REFUSALS; i++) {
    const refused = await fetch(`${target.urls.ingress}/nowhere`, { method: "POST", body });
    await refused.body?.cancel();
  }
  const url = `${target.urls.api}/api/v1/rejected`;
  await t.step("unread", async () => {
    await holdsLittle(target, LIMIT_BYTES, () => ask(url, READERS));
  });
  await t.step("read again and again", async () => {
    const { peakBytes } = await target.measure(async () => {
      for (let i = 0; i < 10; i++) assertEquals((await (await fetch(url)).json()).length, REFUSALS);
    });
    assertLess(peakBytes, LIMIT_BYTES + BESIDE_BYTES, `${mib(peakBytes)} resident at most`);
  });
});

Deno.test("unread answers about HL7 messages hold no more than one chunk", async (t) => {
  await using target = await startTarget({ args: ARGS });
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
