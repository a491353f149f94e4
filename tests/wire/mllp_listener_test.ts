/** MLLP over real sockets: split frames, many connections, and senders that break off. */
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { MllpClient } from "../support/mllp.ts";
import { startService, type TestService } from "../support/service.ts";

const message = (id: number | string): string =>
  `MSH|^~\\&|A|B|C|D|1||ADT^A01|${id}|P|2.5\rPID|1||47||Müller\r`;

const acknowledged = (answer: string | undefined): string | undefined =>
  /\rMSA\|AA\|([^\r]*)\r$/.exec(answer ?? "")?.[1];

function messages(service: TestService): CapturedEvent<Hl7Message>[] {
  return service.events.list({ plugin: "hl7" }) as CapturedEvent<Hl7Message>[];
}

Deno.test("a frame cut in two at any byte is answered once", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  const frame = new TextEncoder().encode(`\v${message("M")}\x1c\r`);
  for (let cut = 1; cut < frame.length; cut++) {
    await client.send(frame.subarray(0, cut));
    // Gives the first part a chance to be read on its own.
    await service.getJson("/health");
    await client.send(frame.subarray(cut));
    assertEquals(acknowledged(await client.answer()), "M", `cut at ${cut}`);
  }
  assertEquals(messages(service).length, frame.length - 1);
  assert(messages(service).every(({ payload }) => payload.issues === undefined));
});

Deno.test("10 000 messages on one connection are answered in order", async () => {
  await using service = await startService({
    plugins: [hl7],
    config: { storage: { plugin_capacity: { hl7: 10_000 } } },
  });
  using client = await MllpClient.open(service.endpoint("mllp"));
  const frames = Array.from({ length: 10_000 }, (_, id) => `\v${message(id)}\x1c\r`);
  const sent = client.send(frames.join(""));
  for (let id = 0; id < frames.length; id++) {
    assertEquals(acknowledged(await client.answer()), `${id}`);
  }
  await sent;
  assertEquals(service.events.count("hl7"), 10_000);
});

Deno.test("500 concurrent connections are all served", async () => {
  await using service = await startService({ plugins: [hl7] });
  const clients = await Promise.all(
    Array.from({ length: 500 }, () => MllpClient.open(service.endpoint("mllp"))),
  );
  try {
    const answers = await Promise.all(clients.map(async (client, id) => {
      await client.sendMessage(message(id));
      return acknowledged(await client.answer());
    }));
    assertEquals(answers, clients.map((_, id) => `${id}`));
    assertEquals(new Set(messages(service).map(({ meta }) => meta.connection)).size, 500);
  } finally {
    for (const client of clients) client[Symbol.dispose]();
  }
});

Deno.test("an unterminated frame of 20 MiB is given up at the limit, answered, and kept in part", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.send(`\v${message("BIG")}NTE|`);
  const piece = new Uint8Array(1024 * 1024).fill(65);
  for (let sent = 0; sent < 20; sent++) await client.send(piece);
  assertMatch(await client.answer() ?? "", /\rMSA\|AR\|BIG\rERR\|\|\|207\^/);
  await client.closeWrite();
  assertEquals(await client.answer(), undefined);
  const [{ payload, raw }] = messages(service) as [CapturedEvent<Hl7Message>];
  assertEquals(payload.issues?.map(({ code }) => code), ["too-large"]);
  assertEquals([payload.ack.code, payload.header.control_id], ["AR", "BIG"]);
  assertEquals(raw.body.length, 65_536);
});

Deno.test("a sender that half-closes still gets its answer", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.sendMessage(message("HALF"));
  await client.closeWrite();
  assertEquals(acknowledged(await client.answer()), "HALF");
  assertEquals(await client.answer(), undefined);
});

Deno.test("a message cut off by a broken connection is kept without an answer", async () => {
  await using service = await startService({ plugins: [hl7] });
  {
    using client = await MllpClient.open(service.endpoint("mllp"));
    await client.send(`\v${message("CUT")}`);
    await service.getJson("/health");
  }
  const { payload, meta } = await service.waitFor<Hl7Message>("hl7.message");
  assertEquals(payload.issues?.map(({ code }) => code), ["unterminated"]);
  assertEquals([payload.ack, meta.ack_code], [{ sent: false, mode: "original" }, "none"]);
  assertEquals(payload.header.control_id, "CUT");
});

Deno.test("unframed bytes are in the journal with a hint", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.send(message("BARE"));
  await client.closeWrite();
  assertEquals(await client.answer(), undefined);
  const [record] = service.rejected.list();
  assertMatch(record?.reason ?? "", /0x0B before a message/);
  assertEquals(new TextDecoder().decode(record?.raw), message("BARE"));
  assertEquals(record?.provider, "mllp");
  assertEquals(messages(service), []);
});

Deno.test("bytes before a frame are reported on its message", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.send(`\r\n\0hello\v${message(1)}\x1c\r`);
  assertEquals(acknowledged(await client.answer()), "1");
  const [{ payload }] = messages(service) as [CapturedEvent<Hl7Message>];
  assertEquals(payload.issues, [{
    code: "outside-frame",
    detail: "Bytes before the frame: 0x68656c6c6f",
    severity: "warning",
  }]);
});

Deno.test("a hostile sender does not hold up another one, and no error is logged", async () => {
  await using service = await startService({ plugins: [hl7] });
  using hostile = await MllpClient.open(service.endpoint("mllp"));
  using honest = await MllpClient.open(service.endpoint("mllp"));
  const frames = ["|", "^", "~", "&", "\\", "\r", "MSH|\r", "\\X"]
    .map((part) => `\vBHS|^~\\&\rMSH|^~\\&|A${part.repeat(1_000_000 / part.length)}\r\x1c\r`);
  const sent = hostile.send(frames.join(""));
  for (let id = 0; id < 20; id++) {
    await honest.sendMessage(message(id));
    assertEquals(acknowledged(await honest.answer()), `${id}`);
  }
  await sent;
  for (const _ of frames) assert(await hostile.answer() !== undefined);
  const { length } = JSON.stringify(await service.getJson("/hl7/messages?limit=20"));
  assertLess(length, 400_000_000);
  assertEquals(service.log.filter((line) => !line.includes("raw_limit")), []);
});

Deno.test("a 10 MiB batch of tiny messages does not starve other connections", async () => {
  await using service = await startService({
    plugins: [hl7],
    config: { storage: { plugin_capacity: { hl7: 50_000 } } },
  });
  using hostile = await MllpClient.open(service.endpoint("mllp"));
  using honest = await MllpClient.open(service.endpoint("mllp"));
  const tiny = "MSH|^~\\&|A|B|C|D|1||ADT^A01|T|P|2.5\r";
  await hostile.send(`\vBHS|^~\\&\r${tiny.repeat(10_000_000 / tiny.length)}\x1c\r`);
  let answered = false;
  const answer = hostile.answer().finally(() => answered = true);
  for (let id = 0; !answered; id++) {
    await honest.sendMessage(message(id));
    assertEquals(acknowledged(await honest.answer()), `${id}`);
  }
  // With the batch header that is 10 000, the limit; the rest becomes part of the last message.
  assertEquals((await answer)?.match(/MSA\|AA\|T\r/g)?.length, 9_999);
  const inOrder = messages(service).map(({ payload }) => payload.header.control_id).reverse();
  const during = inOrder.slice(inOrder.indexOf("T"), inOrder.lastIndexOf("T"));
  assertGreater(during.filter((id) => id !== "T").length, 3);
  assertEquals(service.log, []);
});

Deno.test("an idle connection does not delay the stop", async () => {
  const service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.sendMessage(message(1));
  await client.answer();
  const from = performance.now();
  await service.stop();
  assertLess(performance.now() - from, 2000);
});
