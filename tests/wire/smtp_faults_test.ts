/** Faults in an SMTP conversation, in the phases where RFC 5321 allows them. */
import { assertEquals, assertMatch } from "@std/assert";
import type { FaultRule } from "../../core/faults/model.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const MESSAGE = "Subject: Hi\r\n\r\nHi\r\n.\r\n";
const DIALOGUE = ["EHLO me", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"];

interface Talk extends Disposable {
  /** Sends a line and returns the reply, or `undefined` at the end. */
  say(line?: string): Promise<string | undefined>;
}

async function connect(service: TestService): Promise<Talk> {
  const { port } = service.endpoint("smtp");
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  return {
    async say(line) {
      if (line !== undefined) await conn.write(encoder.encode(line));
      const buffer = new Uint8Array(4096);
      for (;;) {
        const reply = /^(?:\d{3}-.*\r\n)*(\d{3} .*)\r\n/.exec(held);
        if (reply !== null) {
          held = held.slice(reply[0].length);
          return reply[1]!;
        }
        const count = await conn.read(buffer);
        if (count === null) return undefined;
        held += decoder.decode(buffer.subarray(0, count));
      }
    },
    [Symbol.dispose]: () => conn.close(),
  };
}

/** The first negative reply of a whole conversation, or the last reply. */
async function firstRefusal(service: TestService): Promise<string | undefined> {
  using talk = await connect(service);
  let reply = await talk.say();
  for (const line of DIALOGUE) {
    if (reply === undefined || reply >= "4") return reply;
    reply = await talk.say(`${line}\r\n`);
  }
  return reply?.startsWith("354") ? await talk.say(MESSAGE) : reply;
}

Deno.test("each SMTP outcome is sent in each of its phases, and recorded once", async () => {
  await using service = await startService({ plugins: [mail] });
  const { outcomes } = await service.getJson<
    { outcomes: { on: string; id: string; phases: string[] }[] }
  >("/faults/outcomes");
  const replies: Record<string, string> = {
    temporary: "451 4.3.0 ",
    greylist: "451 4.7.1 ",
    mailbox_full: "452 4.2.2 ",
    no_mailbox: "550 5.1.1 ",
    spam: "554 5.7.1 ",
    too_many: "452 4.5.3 ",
    shutdown: "421 4.3.2 ",
  };
  const own = outcomes.filter(({ on, id }) => on === "mail/smtp" && replies[id] !== undefined);
  assertEquals(own.map(({ id }) => id), Object.keys(replies));
  for (const { id, phases } of own) {
    for (const phase of phases.filter((one) => one !== "auth")) {
      service.rejected.clear();
      using _ = await service.fault({ on: "mail/smtp", outcome: id, phase, name: "f" });
      const reply = await firstRefusal(service);
      assertEquals(reply?.slice(0, 10), replies[id], `${id} ${phase}`);
      const reasons = service.rejected.list().map(({ reason }) => reason);
      assertEquals(reasons.filter((one) => one.startsWith("fault")), [`fault "f": ${id}`], phase);
    }
  }
  assertEquals(service.events.count(), 0);
  assertMatch(String(await firstRefusal(service)), /^250 2.0.0 OK/);
});

Deno.test("greylisting accepts the same sender, recipient and host after a delay", async () => {
  await using service = await startService({ plugins: [mail] });
  const grey: FaultRule = { on: "mail/smtp", outcome: "greylist" };
  {
    using _ = await service.fault({ ...grey, with: { wait: 3600 } });
    assertMatch(String(await firstRefusal(service)), /^451 4.7.1 /);
    assertMatch(String(await firstRefusal(service)), /^451 4.7.1 /);
  }
  using fault = await service.fault({ ...grey, with: { wait: 0 } });
  assertMatch(String(await firstRefusal(service)), /^451 4.7.1 /);
  assertMatch(String(await firstRefusal(service)), /^250 2.0.0 OK/);
  assertEquals(fault.hits, 1);
});

Deno.test("a rule for one recipient refuses only that one", async () => {
  await using service = await startService({ plugins: [mail] });
  const match = { argument: { contains: "<gone@" } };
  using _ = await service.fault({ on: "mail/smtp", outcome: "no_mailbox", match });
  using talk = await connect(service);
  await talk.say();
  for (const line of DIALOGUE.slice(0, 3)) await talk.say(`${line}\r\n`);
  assertMatch(String(await talk.say("RCPT TO:<gone@example.com>\r\n")), /^550 5.1.1 /);
  await talk.say("DATA\r\n");
  await talk.say(MESSAGE);
  assertEquals(service.list("mail.message")[0]?.meta.envelope, {
    mail_from: "a@example.com",
    rcpt_to: ["b@example.com"],
  });
});

Deno.test("a message can be captured although its reply refuses it, breaks off, or never comes", async () => {
  await using service = await startService({ plugins: [mail] });
  for (
    const [rule, reply] of [
      [{ outcome: "mailbox_full", after: true }, /^452 4.2.2 /],
      [{ outcome: "close", after: true }, /^undefined$/],
      [{ outcome: "close" }, /^undefined$/],
      [{ outcome: "truncate", with: { bytes: 10 } }, /^undefined$/],
    ] as const
  ) {
    using _ = await service.fault({ on: "mail/smtp", match: { subject: "Hi" }, ...rule });
    assertMatch(String(await firstRefusal(service)), reply, rule.outcome);
  }
  const faults = service.list("mail.message").map(({ meta }) => meta.fault);
  assertEquals(faults, ["truncate", "close", "mailbox_full"]);
  const reasons = service.rejected.list().map(({ reason }) => reason);
  assertEquals(reasons.filter((one) => one.startsWith("fault")), ['fault "close": close']);
});

Deno.test("a hanging conversation ends when its client leaves or the service stops", async () => {
  const service = await startService({ plugins: [mail] });
  await service.fault({ on: "mail/smtp", outcome: "hang", phase: "connect" });
  const left = await connect(service);
  const staying = await connect(service);
  const reply = staying.say();
  left[Symbol.dispose]();
  const load = async (): Promise<number> => {
    const { listeners } = await service.getJson<
      { listeners: { name: string; connections: number }[] }
    >("/ready");
    return listeners.find(({ name }) => name === "mail/smtp")!.connections;
  };
  while (await load() !== 1) await new Promise((go) => setTimeout(go, 5));
  await service.stop({ graceMs: 10_000 });
  assertEquals(await reply, undefined);
  staying[Symbol.dispose]();
});
