import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";
import { MESSAGE, PacketGuard, type SeenChannel, type Verdict } from "./guard.ts";

type Field = string | number | boolean | Uint8Array;

function payload(type: number, ...fields: readonly Field[]): Uint8Array {
  const writer = new ByteWriter().u8(type);
  for (const field of fields) {
    if (typeof field === "number") writer.u32(field);
    else if (typeof field === "boolean") writer.u8(field ? 1 : 0);
    else writer.block(typeof field === "string" ? new TextEncoder().encode(field) : field);
  }
  return writer.take();
}

/** A guard after the first key exchange and the login, with channel 0 open. */
function world({ authenticated = true, isRead = true, channels = 1 } = {}) {
  const channel = {
    remote: 7,
    incoming: { window: 1000, state: "open" },
    outgoing: { window: 5 },
    isRead,
    isTaken: isRead,
  } satisfies SeenChannel;
  const clock = { ms: 0, moved: 0 };
  const forgotten: number[] = [];
  const guard = new PacketGuard({
    isAuthenticated: () => authenticated,
    channel: (id) => id === 0 ? channel : undefined,
    channels: () => channels,
    forget: (id) => void forgotten.push(id),
    isKnown: (id) => id <= 1,
    moved: () => clock.moved,
    now: () => clock.ms,
  });
  const judge = (type: number, ...fields: readonly Field[]): Verdict =>
    guard.judge(payload(type, ...fields), 9);
  judge(MESSAGE.kexInit);
  judge(30);
  judge(MESSAGE.newKeys);
  return { guard, judge, channel, clock, forgotten };
}

/** Returns why the connection ends; `undefined` if it continues. */
function end(verdict: Verdict): string | undefined {
  return typeof verdict === "object" && "end" in verdict ? verdict.end : undefined;
}

/** Type and following numbers of a response. */
function answer(verdict: Verdict): readonly number[] {
  if (typeof verdict !== "object" || !("answer" in verdict)) return [];
  const view = new DataView(verdict.answer.buffer, verdict.answer.byteOffset);
  const numbers = [view.getUint8(0)];
  for (let at = 1; at + 4 <= Math.min(verdict.answer.length, 9); at += 4) {
    numbers.push(view.getUint32(at));
  }
  return numbers;
}

Deno.test("a channel is opened if its packet size is usable", () => {
  const { judge } = world();
  const open = (window: number, packet: number, type = "session") =>
    judge(MESSAGE.channelOpen, type, 3, window, packet);
  assertEquals(open(0, 32_768), "pass");
  assertEquals(open(2 ** 32 - 1, 2 ** 32 - 1), "pass");
  assertEquals(open(1, 256), "pass");
  for (const packet of [0, 1, 9, 255]) {
    const refused = open(2 ** 21, packet);
    assertEquals(answer(refused), [MESSAGE.channelOpenFailure, 3, 1]);
    assertEquals(
      typeof refused === "object" && "note" in refused && refused.note,
      `Cannot send in packets of ${packet} bytes: expected at least 256 bytes`,
    );
  }
  assertEquals(answer(open(1, 32_768, "direct-tcpip")), [MESSAGE.channelOpenFailure, 3, 3]);
  assertEquals(
    answer(world({ channels: 10 }).judge(MESSAGE.channelOpen, "session", 3, 1, 32_768)),
    [MESSAGE.channelOpenFailure, 3, 4],
  );
  const short = payload(MESSAGE.channelOpen, "session", 3, 1).subarray(0, -2);
  assertEquals(
    end(world().guard.judge(short, 0)),
    "Cannot read SSH message 90: Cannot read 4 bytes: 2 left",
  );
});

Deno.test("a window has room for what was granted, and never exceeds its field", () => {
  const { judge, channel } = world();
  const bytes = (count: number) => new Uint8Array(count);
  assertEquals(judge(MESSAGE.channelData, 0, bytes(1000)), "pass");
  assertEquals(
    end(judge(MESSAGE.channelData, 0, bytes(1001))),
    "Cannot accept 1001 bytes: the window has room for 1000",
  );
  channel.incoming.window = 2 ** 21;
  assertEquals(
    end(judge(MESSAGE.channelData, 0, bytes(32_769))),
    "Cannot accept 32769 bytes in a packet: 32768 were announced",
  );
  assertEquals(judge(MESSAGE.channelWindowAdjust, 0, 2 ** 32 - 1 - 5), "pass");
  assertEquals(
    end(judge(MESSAGE.channelWindowAdjust, 0, 2 ** 32 - 5)),
    "Cannot widen a window beyond 4294967295 bytes",
  );
  channel.incoming.state = "eof";
  assertEquals(
    end(judge(MESSAGE.channelData, 0, bytes(1))),
    "Unexpected data after the end of a channel",
  );
});

Deno.test("windows count before anything runs in a channel", () => {
  const { judge, channel } = world({ isRead: false });
  assertEquals(judge(MESSAGE.channelWindowAdjust, 0, 10), "drop");
  assertEquals(judge(MESSAGE.channelData, 0, new Uint8Array(400)), "drop");
  assertEquals([channel.incoming.window, channel.outgoing.window], [600, 15]);
});

Deno.test("a message for a channel that never existed ends the connection; one for a closed channel is ignored", () => {
  const { judge } = world();
  for (const type of [93, 94, 95, 96, 97, 98]) {
    assertEquals(judge(type, 1, 0, 0), "drop");
    assertEquals(end(judge(type, 2, 0, 0)), `Cannot find channel 2 of SSH message ${type}`);
    assertEquals(
      end(judge(type, 2 ** 32 - 1, 0, 0)),
      `Cannot find channel 4294967295 of SSH message ${type}`,
    );
  }
});

Deno.test("a request about a channel in which something runs is answered", () => {
  const { judge } = world();
  assertEquals(answer(judge(MESSAGE.channelRequest, 0, "exec", true, "ls")), [100, 7]);
  assertEquals(judge(MESSAGE.channelRequest, 0, "window-change", false), "drop");
  assertEquals(
    world({ isRead: false }).judge(MESSAGE.channelRequest, 0, "subsystem", true, "sftp"),
    "pass",
  );
});

Deno.test("the guard closes a channel in which nothing runs", () => {
  const { judge, forgotten } = world({ isRead: false });
  assertEquals(answer(judge(MESSAGE.channelClose, 0)), [MESSAGE.channelClose, 7]);
  assertEquals(forgotten, [0]);
  assertEquals(world().judge(MESSAGE.channelClose, 0), "pass");
});

Deno.test("requests about the connection are refused in order", () => {
  const { judge } = world();
  assertEquals(answer(judge(MESSAGE.globalRequest, "keepalive@openssh.com", true)), [82]);
  assertEquals(judge(MESSAGE.globalRequest, "no-more-sessions@openssh.com", false), "drop");
  assertEquals(
    end(judge(MESSAGE.globalRequest, "x".repeat(257), true)),
    "Cannot read SSH message 80: Cannot read a block of 257 bytes: at most 256 allowed",
  );
});

Deno.test("channel messages end the connection before the login, and login requests are ignored after it", () => {
  const early = world({ authenticated: false });
  for (const type of [80, 90, 94, 98]) {
    assertEquals(end(early.judge(type)), `Expected a login before SSH message ${type}`);
  }
  assertEquals(early.judge(MESSAGE.userauthRequest, "ada"), "pass");
  assertEquals(world().judge(MESSAGE.userauthRequest, "ada"), "drop");
  assertEquals(end(early.judge(61, 2 ** 25)), "Expected one answer, got 33554432");
  for (const type of [6, 51, 52, 53, 60]) {
    assertEquals(end(early.judge(type)), `Expected no SSH message ${type}: only servers send it`);
  }
});

Deno.test("an unknown message is answered as unimplemented", () => {
  const { judge } = world();
  for (const type of [8, 19, 62, 83, 101, 255]) assertEquals(answer(judge(type)), [3, 9]);
  assertEquals(
    end(judge(MESSAGE.newKeys)),
    "Expected no SSH message 21 outside a key exchange",
  );
});

Deno.test("during a key exchange messages 1 to 19 and 20 to 49 are allowed", () => {
  const { guard, judge } = world();
  assertEquals(judge(MESSAGE.kexInit), "pass");
  assertEquals(guard.isExchanging, true);
  for (const type of [2, 3, 4, 7, 8, 19]) assertEquals(judge(type), "drop");
  for (const type of [1, 22, 30, 49]) assertEquals(judge(type), "pass");
  for (const type of [5, 6, 50, 80, 94, 255]) {
    assertEquals(
      end(judge(type)),
      `Expected no SSH message ${type} during a key exchange`,
    );
  }
  assertEquals(judge(MESSAGE.newKeys), "pass");
  assertEquals(guard.isExchanging, false);
});

Deno.test("key exchanges are limited by time and bytes", () => {
  const { judge, clock } = world();
  const exchange = (): Verdict => {
    const verdict = judge(MESSAGE.kexInit);
    judge(MESSAGE.newKeys);
    return verdict;
  };
  for (let i = 2; i <= 32; i++) assertEquals(exchange(), "pass");
  assertEquals(end(exchange()), "Cannot exchange keys again: 33 times is too often");
  clock.ms += 2000;
  assertEquals(exchange(), "pass");
  clock.moved += 1024 * 1024;
  assertEquals(exchange(), "pass");
  assertEquals(end(exchange()), "Cannot exchange keys again: 36 times is too often");
});

Deno.test("every payload is accepted or refused, whatever it holds", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
      world().guard.judge(bytes, 1);
    }),
    fuzzed(300),
  );
});
