/** Replies to clients while memory is full. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { RejectedRecord } from "../../core/events/journal.ts";
import { closeQuietly } from "../../core/net/socket.ts";
import { compress } from "../support/as2.ts";
import { Refused } from "../support/drivers/driver.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const MB = 1_000_000;
const encoder = new TextEncoder();

/** Large enough that answering it takes half of the memory in these tests. */
const LARGE = "a".repeat(6 * MB);

/** Takes the same amount of memory once unpacked. */
const PACKED = compress(encoder.encode(`Content-Type: text/plain\r\n\r\n${LARGE}`));

/** Requests with a body, and what each vendor says for "later". */
const VENDORS: Readonly<
  Record<string, { path: string; type?: string; body?: Uint8Array<ArrayBuffer>; said: RegExp }>
> = {
  mail1: { path: "/v3.1/send", said: /^429 \{.*"ErrorMessage"/ },
  mail2: { path: "/v3/mail/send", said: /^429 \{"errors":\[\{.*too many requests/ },
  mail3: { path: "/emails", said: /^429 .*rate_limit_exceeded/ },
  sms1: {
    path: "/2010-04-01/Accounts/AC0/Messages.json",
    type: "application/x-www-form-urlencoded",
    said: /^429 \{"code":20429,/,
  },
  "chat1, Web API": {
    path: "/api/chat.postMessage",
    said: /^429 \{"ok":false,"error":"ratelimited"/,
  },
  "chat1, webhook": { path: "/services/T0/B0/x", said: /^429 rate_limited/ },
  chat2: { path: "/webhookb2/a@b/IncomingWebhook/c/d", said: /^429 .*memory_limit/ },
  push1: { path: "/v1/projects/p/messages:send", said: /^503 .*"UNAVAILABLE"/s },
  push2: { path: "/3/device/abcd", said: /^503 \{"reason":"ServiceUnavailable"\}/ },
  as2: { path: "/as2", type: "application/edi-x12", said: /^503 .*memory_limit/ },
  "as2, compressed": {
    ...{ path: "/as2", type: PACKED.type, body: Uint8Array.from(PACKED.body) },
    said: /^503 .*memory_limit/,
  },
};

const MAIL = encoder.encode(`Subject: x\r\n\r\n${`${"a".repeat(998)}\r\n`.repeat(6000)}.\r\n`);
const HL7 = encoder.encode(
  `\x0bMSH|^~\\&|A|B|C|D|20260101||ADT^A01|N1|P|2.5\rOBX|1|TX|||${LARGE}\r\x1c\r`,
);

/** Data sent to the other listeners, and the end of their replies. */
const OTHERS: Readonly<Record<string, readonly (string | Uint8Array | RegExp)[]>> = {
  smtp: [
    ...[/220 .*\r\n/, "EHLO x\r\n", /250 .*\r\n/],
    ...["MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n", /354 .*\r\n/],
    ...[MAIL, /452 4\.3\.1 .*memory_limit.*\r\n/],
  ],
  mllp: [HL7, /MSA\|AR\|N1\rERR\|\|\|207\^/],
  http: [
    "PUT /box HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
    ...[/200 OK[^]*\r\n\r\n/, "PUT /box/large HTTP/1.1\r\nHost: localhost\r\n"],
    `Content-Length: ${3 * LARGE.length}\r\n\r\n`,
    ...[LARGE, LARGE, LARGE, /503 Service[^]*<Code>SlowDown<[^]*memory_limit/],
  ],
};

/** Sends and waits for matching replies, in order. Rejects if the connection ends first. */
async function converse(port: number, script: readonly (string | Uint8Array | RegExp)[]) {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const buffer = new Uint8Array(16_384);
  let said = "";
  for (const step of script) {
    if (!(step instanceof RegExp)) {
      const bytes = typeof step === "string" ? encoder.encode(step) : step;
      for (let left = bytes; left.length > 0;) left = left.subarray(await conn.write(left));
      continue;
    }
    while (!step.test(said)) {
      const count = await conn.read(buffer);
      assert(count !== null, `The other side ended after ${said}`);
      said += new TextDecoder().decode(buffer.subarray(0, count));
    }
    said = "";
  }
}

/** Clients whose bodies are almost complete. */
interface Held extends Disposable {
  /** Their addresses: on a slow machine, one that waited for memory for long is also refused. */
  readonly peers: readonly string[];
}

/** Almost complete bodies that together hold the maximum memory for bodies. */
async function fill({ ingress }: TestService): Promise<Held> {
  const held = await Promise.all(Array.from({ length: 6 }, async () => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: ingress.port });
    const bytes = new Uint8Array(7 * MB).fill(0x20);
    const head =
      "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" +
      `${(bytes.length + 1).toString(16)}\r\n`;
    for (const part of [new TextEncoder().encode(head), bytes]) {
      for (let left = part; left.length > 0;) left = left.subarray(await conn.write(left));
    }
    return conn;
  }));
  return {
    peers: held.map(({ localAddr: { hostname, port } }) => `${hostname}:${port}`),
    [Symbol.dispose]: () => held.forEach(closeQuietly),
  };
}

async function inFlight(service: TestService): Promise<number> {
  const text = await (await fetch(`${service.api.url}/metrics`)).text();
  return Number(/^standin_memory_bytes\{state="in_flight"\} (\d+)/m.exec(text)?.[1]);
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!await reached()) await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("when memory is full every provider answers in its vendor's words, and the journal says why", async () => {
  await using service = await startService({ config: { storage: { memory_limit: "64MB" } } });
  {
    using held = await fill(service);
    await until(async () => await inFlight(service) > 40 * MB);
    const others = Promise.all(
      Object.entries(OTHERS).map(([name, script]) => converse(service.endpoint(name).port, script)),
    );
    await Promise.all(
      Object.entries(VENDORS).map(async ([name, { path, type, body, said }]) => {
        const response = await fetch(`${service.ingress.url}${path}`, {
          method: "POST",
          headers: { "content-type": type ?? "application/json" },
          body: body ?? LARGE,
        });
        assertMatch(`${response.status} ${await response.text()}`, said, name);
        assertEquals(response.headers.get("retry-after"), "5", name);
      }),
    );
    await others;
    // Clients that are answered early end inside their bodies, which is also recorded, without a provider.
    const rejected = (await service.getJson<readonly RejectedRecord[]>("/rejected"))
      .filter(({ provider, peer }) => provider !== undefined && !held.peers.includes(peer));
    assertEquals(rejected.length, Object.keys({ ...VENDORS, ...OTHERS }).length);
    for (const { reason, provider } of rejected) {
      assert(reason.includes("memory_limit"), `${provider}: ${reason}`);
    }
    // Small requests still pass.
    const small = await fetch(`${service.ingress.url}/services/T0/B0/x`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"text":"still here"}',
    });
    assertEquals([small.status, await small.text()], [200, "ok"]);
  }
  await until(async () => await inFlight(service) === 0);
});

/** RFC 959 section 4.2.2, draft-ietf-secsh-filexfer-02 section 7, RFC 1350 section 5, RFC 1813 section 2.6. */
const FILES: readonly (readonly [provider: string, code: string, said: RegExp])[] = [
  ["ftp", "452", /^452 Cannot accept .*memory_limit/],
  ["nfs", "JUKEBOX", /^JUKEBOX$/],
  ["sftp", "4", /^Cannot accept .*memory_limit/],
  ["tftp", "3", /^Cannot accept .*memory_limit/],
];

Deno.test("when memory is full each file protocol answers in its own words, and the journal says why", async () => {
  await using service = await startService({ config: { storage: { memory_limit: "64MB" } } });
  using held = await fill(service);
  await until(async () => await inFlight(service) > 40 * MB);
  const bytes = new Uint8Array(12 * MB);
  await Promise.all(FILES.map(async ([provider, code, said]) => {
    await using client = await DRIVERS.find(({ id }) => id === provider)!.open(service);
    const error = await assertRejects(() => client.put("/" + provider, bytes), Refused);
    assertEquals(error.code, code, error.message);
    assertMatch(error.message, said);
  }));
  const rejected = (await service.getJson<readonly RejectedRecord[]>("/rejected"))
    .filter(({ peer }) => !held.peers.includes(peer));
  assertEquals(
    rejected.map(({ provider }) => provider).toSorted(),
    FILES.map(([provider]) => provider),
  );
  for (const { reason } of rejected) assertMatch(reason, /memory_limit/);
});
