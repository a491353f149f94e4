import { assertEquals, assertLess } from "@std/assert";
import { type Memory, unboundedMemory } from "../memory/budget.ts";
import { type LineCommand, type LineReply, LineSession, type Verdict } from "./line_session.ts";

/** Accepts only `OK`, and records refused commands. */
class Words extends LineSession<LineReply> {
  readonly sent: number[] = [];
  readonly kept: unknown[] = [];
  readonly #lines: string[];

  constructor(lines: readonly string[], memory: Memory = unboundedMemory()) {
    super({ maxErrors: 2, memory });
    this.#lines = [...lines];
  }

  override get waitingBytes(): number {
    return this.#lines.length;
  }

  override readLine() {
    const line = this.#lines.shift();
    return Promise.resolve(line === undefined ? undefined : new TextEncoder().encode(line));
  }

  override decode(line: Uint8Array): LineCommand | undefined {
    const [verb = "", argument = ""] = new TextDecoder().decode(line).split(" ");
    return verb === "" ? undefined : { verb, argument };
  }

  override run({ verb }: LineCommand): LineReply {
    if (verb === "THROW") throw new Error("thrown");
    const code = verb === "OK" ? 200 : verb === "BYE" ? 421 : 500;
    return { code, lines: [verb] };
  }

  override replyTo(error: unknown): LineReply {
    return { code: 501, lines: [String(error)] };
  }

  override send({ code }: LineReply): Promise<void> {
    this.sent.push(code);
    return Promise.resolve();
  }

  override verdictOf(reply: LineReply | undefined): Verdict {
    return reply !== undefined && reply.code >= 500 ? "error" : "good";
  }

  override isNoted(reply: LineReply): boolean {
    return reply.code >= 500;
  }

  override refused(command: unknown): void {
    this.kept.push(command);
  }

  override afterReply({ tooManyErrors }: { readonly tooManyErrors: boolean }): void {
    if (tooManyErrors) this.ended = true;
  }
}

Deno.test("a client is disconnected after three senseless lines in a row, unless it recovers", async () => {
  const lost = new Words(["A", "B", "C", "OK"]);
  assertEquals([await lost.converse(), lost.sent], [true, [500, 500, 500]]);
  const recovers = new Words(["A", "B", "OK", "A", "THROW", "OK"]);
  assertEquals(await recovers.converse(), false);
  assertEquals(recovers.sent, [500, 500, 200, 500, 501, 200]);
});

Deno.test("a refusal is recorded with its verb and argument, truncated", async () => {
  const session = new Words([`${"X".repeat(50)} ${"y".repeat(2000)}`]);
  await session.converse();
  assertEquals(session.kept, [{
    status: 500,
    reason: "X".repeat(50),
    method: "X".repeat(20),
    path: "y".repeat(1000),
  }]);
});

Deno.test("a line may get no reply, and a 421 ends the conversation", async () => {
  const session = new Words(["", "BYE", "OK"]);
  assertEquals([await session.converse(), session.sent], [true, [421]]);
});

Deno.test("a timer fires before a long pipeline is answered", async () => {
  const session = new Words(Array(3000).fill("OK"));
  const answered = Promise.withResolvers<number>();
  setTimeout(() => answered.resolve(session.sent.length), 0);
  await session.converse();
  assertEquals(session.sent.length, 3000);
  assertLess(await answered.promise, 3000);
});

Deno.test("the garbage of commands counts, and a client waits for its collection", async () => {
  const memory = unboundedMemory();
  const waste: number[] = [];
  const collection = Promise.withResolvers<void>();
  memory.waste = (bytes) => {
    waste.push(bytes);
    return collection.promise;
  };
  const session = new Words(Array(3).fill(`OK ${"y".repeat(30_000)}`), memory);
  const ended = session.converse();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(session.sent, [200, 200]);
  assertEquals(waste.map((bytes) => bytes > 90_000), [true]);
  collection.resolve();
  await ended;
  assertEquals(session.sent, [200, 200, 200]);
});
