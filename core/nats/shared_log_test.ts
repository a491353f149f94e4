import { assert, assertEquals, assertGreater, assertRejects } from "@std/assert";
import type { JsMsg } from "@nats-io/jetstream";
import { LogOutcomeError, LogWriteError } from "../errors.ts";
import { silentLogger } from "../log.ts";
import type { SharedView } from "../shared_state.ts";
import { type Engine, namesFor } from "./engine.ts";
import { NatsSharedLog } from "./shared_log.ts";
import { encodeChanges } from "./shared_message.ts";
import { ID_HEADER } from "./writer.ts";

interface Sent {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream that a test fills; what is published reaches `publish`. */
function fakeEngine(publish: (sent: Sent) => Promise<{ seq: number }>) {
  const { promise: closed, resolve } = Promise.withResolvers<{ readonly type: string }>();
  const close = (): void => resolve({ type: "close" });
  let wake = Promise.withResolvers<void>();
  const stored: JsMsg[] = [];
  const deliver = ({ subject, data, headers = {} }: Sent): void => {
    const message = {
      subject,
      seq: stored.length + 1,
      data,
      headers: { get: (name: string) => headers[name] ?? "" },
      info: { pending: 0 },
    };
    stored.push(message as unknown as JsMsg);
    wake.resolve();
  };
  const consume = (from: number) => {
    let isOver = false;
    return {
      async *[Symbol.asyncIterator]() {
        for (let at = from - 1; !isOver;) {
          const message = stored[at];
          if (message === undefined) await wake.promise;
          else {
            at++;
            yield message;
          }
          if (stored[at] === undefined) wake = Promise.withResolvers();
        }
      },
      async *status() {
        yield await closed;
      },
      stop() {
        isOver = true;
        wake.resolve();
      },
    };
  };
  const engine = {
    names: namesFor("test"),
    link: { isConnected: true, onBack() {}, unanswered() {} },
    connection: { isClosed: () => true },
    maxBytes: 1_000_000,
    ensureStream: () => Promise.resolve(),
    manager: {
      streams: {
        getMessage: () => Promise.resolve(null),
        info: () =>
          Promise.resolve({ state: { messages: stored.length, last_seq: stored.length } }),
      },
    },
    client: {
      publish: (subject: string, data: Uint8Array, { msgID }: { msgID?: string } = {}) =>
        publish({ subject, data, headers: msgID === undefined ? {} : { [ID_HEADER]: msgID } }),
      consumers: {
        get: (_name: string, { opt_start_seq: from }: { opt_start_seq: number }) =>
          Promise.resolve({ consume: () => Promise.resolve(consume(from)) }),
      },
    },
  };
  return { engine: engine as unknown as Engine, deliver, close };
}

/** A state that notes the changes, and whose they are. */
function noting(onApply: () => void = () => {}) {
  const applied: { readonly change: string; readonly own: boolean }[] = [];
  const view: SharedView<string> = {
    what: "the notes",
    apply(changes, { own }) {
      for (const change of changes) applied.push({ change, own });
      if (changes.length > 0) onApply();
    },
    forget() {},
    changes: () => [],
    placeOf: () => undefined,
    encode: (change) => change,
    decode: String,
  };
  return { view, applied };
}

Deno.test("a change that arrives after it was given up still belongs to its instance", async () => {
  const sent: Sent[] = [];
  const first = Promise.withResolvers<void>();
  const { engine, deliver, close } = fakeEngine((message) => {
    sent.push(message);
    first.resolve();
    return Promise.reject(new Error("no answer"));
  });
  const applied = Promise.withResolvers<void>();
  const { view, applied: notes } = noting(applied.resolve);
  const log = new NatsSharedLog(engine, { plugin: "s3", view, log: silentLogger });
  await log.start();
  const change = assertRejects(
    () => log.change(() => ({ changes: ["a"], result: undefined })),
    LogOutcomeError,
  );
  await first.promise;
  // Gives up at once; the reader continues.
  const closing = log[Symbol.asyncDispose]();
  await change;
  const before = "Nats-Expected-Last-Subject-Sequence";
  deliver({ ...sent[0]!, headers: { ...sent[0]!.headers, [before]: "0" } });
  await applied.promise;
  close();
  await closing;
  assertEquals(notes, [{ change: "a", own: true }]);
});

Deno.test("a plan that is retried because another instance was faster counts as a conflict", async () => {
  let attempts = 0;
  const before = "Nats-Expected-Last-Subject-Sequence";
  const { engine, deliver, close } = fakeEngine((sent) => {
    if (attempts++ > 0) {
      deliver({ ...sent, headers: { ...sent.headers, [before]: "1" } });
      return Promise.resolve({ seq: 2 });
    }
    deliver({ ...sent, data: encodeChanges(['"theirs"']), headers: { [before]: "0" } });
    return Promise.reject(new Error("wrong last sequence"));
  });
  const { view, applied } = noting();
  const log = new NatsSharedLog(engine, { plugin: "s3", view, log: silentLogger });
  await log.start();
  await log.change(() => ({ changes: ["a", "b"], result: undefined }));
  const { seconds, silentSeconds, ...rest } = log.state;
  assert(silentSeconds >= 0 && silentSeconds < 10);
  assertEquals(rest, { behind: 0, messages: 1, changes: 2, conflicts: 1 });
  assertGreater(seconds, 0);
  assertEquals(applied, [
    { change: "theirs", own: false },
    { change: "a", own: true },
    { change: "b", own: true },
  ]);
  close();
  await log[Symbol.asyncDispose]();
});

Deno.test("an unreadable copy is reported, and the state is refused", async () => {
  const { engine, deliver, close } = fakeEngine(() => Promise.reject(new Error("no answer")));
  const errors: string[] = [];
  const told = Promise.withResolvers<void>();
  const logger = {
    ...silentLogger,
    error(message: string) {
      errors.push(message);
      told.resolve();
    },
  };
  const log = new NatsSharedLog(engine, { plugin: "s3", view: noting().view, log: logger });
  await log.start();
  const { snapshots } = engine.names.shared("s3");
  deliver({ subject: snapshots, data: new TextEncoder().encode('{"format":2}') });
  await told.promise;
  assertEquals(errors, ["Cannot follow the changes of the notes"]);
  await assertRejects(
    () => log.change(() => ({ changes: ["a"], result: undefined })),
    LogWriteError,
    "format 2",
  );
  close();
  await log[Symbol.asyncDispose]();
});
