import { fromLatin1 } from "../../core/bytes/latin1.ts";
import { isText } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent, RawRecord } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { PluginState, ProviderEnv } from "../../core/plugin.ts";
import { TimeSlice } from "../../core/time_slice.ts";
import { composeBatch } from "./codec/ack.ts";
import {
  type Envelope,
  type MessageText,
  type OpenedFrame,
  openFrame,
} from "./codec/frame_content.ts";
import { componentOf } from "./codec/header.ts";
import { answer, toMessage, toSnippet } from "./message.ts";
import type { Batch, Hl7Message, Issue } from "./model.ts";

/** State of the hl7 plugin: counters for ids that must not repeat. */
export interface Hl7State extends PluginState {
  /** Returns a control id for an acknowledgement: at most 20 characters, the limit before version 2.7. */
  nextControlId(now: Date): string;
}

/** Creates the state of a plugin that has issued no ids yet. */
export function createState(): Hl7State {
  let given = 0;
  return {
    nextControlId(now) {
      given = (given + 1) % 36 ** 4;
      const count = given.toString(36).padStart(4, "0");
      return `${now.getTime().toString(36)}${count}`.toUpperCase();
    },
  };
}

/** The parts of a provider's environment that capturing uses. */
export type Hl7Env = Pick<
  ProviderEnv<OptionSet, Hl7State>,
  "capture" | "settled" | "ctx" | "state"
>;

/** One received frame. */
export interface ReceivedFrame {
  readonly bytes: Uint8Array;
  /** Problems that the frame reader found. */
  readonly issues: readonly Issue[];
  /** The peer is gone, so a response would reach no one. */
  readonly silent: boolean;
  readonly peer: string;
  readonly local: string;
  /** Number of the connection on its listener, from 1. */
  readonly connection: number;
}

/**
 * Captures each message of a frame as an `hl7.message` event. Resolves with the response, without its frame. A batch of
 * many messages yields to other conversations now and then. Rejects with `LogWriteError` if a message is not stored.
 */
export async function captureFrame(
  env: Hl7Env,
  frame: ReceivedFrame,
): Promise<Uint8Array | undefined> {
  const slice = new TimeSlice();
  const content = openFrame(frame.bytes);
  const raw: RawRecord = {
    transport: "tcp",
    text: isText(frame.bytes),
    body: frame.bytes,
    peer_addr: frame.peer,
  };
  const answers: (Envelope | string)[] = [];
  let around: Envelope | undefined;
  const kept: Promise<void>[] = [];
  let index = 0;
  for (const unit of content.units) {
    if (unit.kind !== "message") {
      around = unit;
      answers.push(unit);
      continue;
    }
    if (slice.over) await slice.yieldToEventLoop();
    const batch = around === undefined
      ? undefined
      : toBatch(around, { index, count: content.messages });
    const { text, event } = captureMessage(env, unit, { frame, content, raw, batch });
    if (text !== undefined) answers.push(text);
    const settled = env.settled(event);
    if (settled !== undefined) kept.push(settled);
    index++;
  }
  if (kept.length > 0) await Promise.all(kept);
  const now = env.ctx.now();
  const texts = answers.filter((part) => typeof part === "string");
  if (texts.length === 0) return undefined;
  const nextId = (): string => env.state.nextControlId(now);
  return fromLatin1(around === undefined ? texts[0]! : composeBatch(answers, { now, nextId }));
}

/** Returns the subjects of fault rules: the messages of a frame, as their events would have them. */
export function toSubjects(frame: ReceivedFrame): Pick<NewEvent, "payload" | "raw">[] {
  const content = openFrame(frame.bytes);
  const raw: RawRecord = { transport: "tcp", text: true, body: frame.bytes, peer_addr: frame.peer };
  const size = frame.bytes.length;
  const ack = { sent: false, mode: "original" } as const;
  return [...content.units].flatMap((unit) =>
    unit.kind === "message"
      ? [{ payload: toMessage(unit, { content, issues: [], ack, size }), raw }]
      : []
  );
}

/** Returns the response, without its frame, to a message that is not stored, from its beginning. */
export function answerFor(
  env: Pick<Hl7Env, "ctx" | "state">,
  head: Uint8Array,
  { issue, silent }: { issue: Issue; silent: boolean },
): Uint8Array | undefined {
  const content = openFrame(head);
  const now = env.ctx.now();
  for (const unit of content.units) {
    if (unit.kind !== "message") continue;
    const { text } = answer(unit, {
      now,
      issues: [issue],
      charset: content.charset,
      silent,
      nextId: () => env.state.nextControlId(now),
    });
    return text === undefined ? undefined : fromLatin1(text);
  }
  return undefined;
}

function toBatch({ kind, header }: Envelope, place: { index: number; count: number }): Batch {
  const controlId = header === undefined ? "" : componentOf(header, 11);
  return { kind, ...place, ...compact({ control_id: controlId || undefined }) };
}

/** Returns the event, and the text of the acknowledgement if there is one. */
function captureMessage(
  env: Hl7Env,
  unit: MessageText,
  { frame, content, raw, batch }: {
    frame: ReceivedFrame;
    content: OpenedFrame;
    raw: RawRecord;
    batch: Batch | undefined;
  },
): { readonly event: CapturedEvent; readonly text: string | undefined } {
  const now = env.ctx.now();
  const issues = [...unit.issues, ...frame.issues];
  const { ack, text } = answer(unit, {
    now,
    issues,
    charset: content.charset,
    silent: frame.silent,
    nextId: () => env.state.nextControlId(now),
  });
  const message = toMessage(unit, {
    content,
    issues,
    ack,
    size: frame.bytes.length,
    ...compact({ batch }),
  });
  const event = env.capture<Hl7Message>({
    type: "hl7.message",
    ...describe(unit, message),
    meta: toMeta(unit, message, frame),
    payload: message,
    raw,
  });
  return { event, text };
}

function describe(unit: MessageText, message: Hl7Message) {
  const { header } = message;
  const [from, to] = [header.sending_application ?? "", header.receiving_application ?? ""];
  const title = toTitle(unit, message);
  return {
    summary: `${title} ${from} -> ${to} (${header.control_id ?? ""})`,
    summary_parts: {
      from,
      to: to === "" ? [] : [to],
      title,
      snippet: toSnippet(unit, message),
    },
  };
}

function toTitle({ header }: MessageText, message: Hl7Message): string {
  const { code, trigger_event } = message.header;
  if (code !== undefined) return trigger_event === undefined ? code : `${code}^${trigger_event}`;
  return header === undefined ? "no header" : header.kind === "MSH" ? "no type" : header.kind;
}

function toMeta(
  { segments }: MessageText,
  { header, ack }: Hl7Message,
  frame: ReceivedFrame,
): Readonly<Record<string, unknown>> {
  const { code, trigger_event } = header;
  return {
    ...(code === undefined ? {} : {
      message_type: trigger_event === undefined ? code : `${code}^${trigger_event}`,
    }),
    ...pick(header, ["control_id", "sending_application", "receiving_application", "version"]),
    segments,
    peer_addr: frame.peer,
    local_addr: frame.local,
    connection: frame.connection,
    framing: "mllp",
    ack_code: ack.code ?? "none",
  };
}

function pick(
  header: Hl7Message["header"],
  names: readonly (keyof Hl7Message["header"])[],
): Readonly<Record<string, string>> {
  const given = names.map((name) => [name, header[name]]).filter(([, value]) =>
    value !== undefined
  );
  return Object.fromEntries(given);
}
