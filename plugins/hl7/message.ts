import { fromLatin1 } from "../../core/bytes/latin1.ts";
import { compact } from "../../core/compact.ts";
import { type AckAbout, composeAck, decideAck } from "./codec/ack.ts";
import { decodeText } from "./codec/charset.ts";
import { unescapeText } from "./codec/escape.ts";
import type { FrameContent, MessageText } from "./codec/frame_content.ts";
import { toHeader } from "./codec/header.ts";
import { type Path, type PlacedValue, valuesAt } from "./codec/path.ts";
import { parseSegments, type SegmentText, segmentTexts } from "./codec/segment.ts";
import { DEFAULT_SEPARATORS, splitAt } from "./codec/separators.ts";
import type { Ack, Batch, Hl7Message, Issue, Segment, Separators } from "./model.ts";

/** An acknowledgement ready to send; `text` has one character for each byte. */
export interface Answer {
  readonly ack: Ack;
  readonly text?: string;
}

/** Decides how to acknowledge a message, and writes the acknowledgement. `silent`: the peer is gone. */
export function answer(
  message: MessageText,
  about: Pick<AckAbout, "now" | "issues"> & { nextId(): string; charset: string; silent: boolean },
): Answer {
  const { mode, code } = decideAck(message.rawHeader, about.issues);
  if (code === undefined || about.silent) return { ack: { sent: false, mode } };
  const id = about.nextId();
  const text = composeAck(message.rawHeader, { ...about, code, id });
  const shown = decodeText(fromLatin1(text), about.charset).text;
  return { ack: { sent: true, mode, code, control_id: id, text: shown }, text };
}

/** Facts about a message besides its text. */
export interface MessageAbout {
  readonly content: Pick<FrameContent, "charset" | "encoding">;
  readonly size: number;
  readonly issues: readonly Issue[];
  readonly ack: Ack;
  readonly batch?: Batch;
}

/**
 * Returns the message to capture. Its segments are parsed each time they are read: as objects they take tens of times
 * the memory of the text, and most messages of a busy interface are never read.
 */
export function toMessage(message: MessageText, about: MessageAbout): Hl7Message {
  const { content: { charset, encoding }, size, ack, batch, issues } = about;
  const { text, header, segments } = message;
  const separators = header?.separators ?? DEFAULT_SEPARATORS;
  const patient = toPatient(text, separators);
  const made = { header: header === undefined ? {} : toHeader(header), separators };
  if (segments > 0) {
    // Not in the literal below: spreading an object calls its getters.
    Object.defineProperty(made, "segments", {
      enumerable: true,
      configurable: true,
      get: (): Segment[] => parseSegments(text, separators),
    });
  }
  const whole = Object.assign(made, {
    ...compact({
      issues: issues.length === 0 ? undefined : [...issues],
      charset: charset || undefined,
    }),
    encoding,
    size,
    ...compact({ patient, batch }),
    ack,
  });
  texts.set(whole, text);
  return segments === 0 ? whole : withSharedJson(whole, text);
}

/** Serializing the message many times at once shares its segments, so a thousand readers hold them once. */
function withSharedJson(message: Hl7Message, text: string): Hl7Message {
  let used: WeakRef<Segment[]> | undefined;
  const toJSON = (): Hl7Message => {
    const segments = used?.deref() ?? parseSegments(text, message.separators);
    used = new WeakRef(segments);
    const members = Object.keys(message).map((key) =>
      [key, key === "segments" ? segments : message[key as keyof Hl7Message]] as const
    );
    return Object.fromEntries(members) as unknown as Hl7Message;
  };
  return Object.defineProperty(message, "toJSON", { value: toJSON });
}

/** Parsed frames by message, for reading a part of them. */
const texts = new WeakMap<Hl7Message, string>();

/** Returns the segments of one name, in any case, without parsing the others. */
export function segmentsNamed(message: Hl7Message, name: string): Iterable<SegmentText> {
  const text = texts.get(message);
  if (text !== undefined) return segmentTexts(text, message.separators, name);
  // An imported message holds its segments as they were exported.
  const wanted = name.toUpperCase();
  return (message.segments ?? []).filter(({ id }) => id.toUpperCase() === wanted)
    .map(({ id, occurrence, fields }) => ({
      id,
      occurrence,
      field(position) {
        const found = fields[position - 1];
        return found && { value: found.value, isWhole: found.repetitions === undefined };
      },
    }));
}

/** Yields the values at a place of a message. */
export function valuesOf(message: Hl7Message, path: Path): Generator<PlacedValue> {
  return valuesAt(segmentsNamed(message, path.segment), path, message.separators);
}

type Patient = NonNullable<Hl7Message["patient"]>;

/** Patient of the first PID segment: PID-3, or PID-2 in old versions, and PID-5. */
function toPatient(text: string, separators: Separators): Patient | undefined {
  const fields = fieldsOfFirst("PID", { text, separators });
  if (fields === undefined) return undefined;
  const first = (position: number): string =>
    splitAt(fields[position] ?? "", separators.repetition, 1)[0]!;
  const componentOf = (position: number): string =>
    unescapeText(
      splitAt(first(position), separators.component, 1)[0]!.slice(0, MOST_CHARACTERS),
      separators,
    );
  const id = componentOf(3) || componentOf(2);
  const name = first(5);
  if (id === "" && name === "") return undefined;
  return { ...compact({ id: id || undefined, name: name || undefined }) };
}

/** Returns the content shown in a row of the list: the patient, else the first observed value. */
export function toSnippet(message: MessageText, { patient, separators }: Hl7Message): string {
  if (patient !== undefined) {
    const name = splitAt((patient.name ?? "").slice(0, MOST_CHARACTERS), separators.component)
      .map((part) => unescapeText(part, separators)).filter((part) => part !== "").join(" ");
    return [patient.id ?? "", name].filter((part) => part !== "").join(" ").slice(0, MOST_SHOWN);
  }
  const observed = fieldsOfFirst("OBX", { text: message.text, separators })?.[5] ?? "";
  return unescapeText(observed.slice(0, MOST_SHOWN), separators);
}

/** Characters of content in a row. */
const MOST_SHOWN = 140;
/** Characters read of a field; the standard allows a few hundred. */
const MOST_CHARACTERS = 4096;
/** Fields read of a segment. */
const MOST_FIELDS = 8;

/** Fields of the first segment of that name, with the name at 0. */
function fieldsOfFirst(
  id: string,
  { text, separators }: { text: string; separators: Separators },
): string[] | undefined {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    if (at > 0 && text[at - 1] !== "\r" && text[at - 1] !== "\n") continue;
    if (text[at + 3] !== separators.field) continue;
    const end = text.slice(at).search(/[\r\n]/);
    const line = text.slice(at, end < 0 ? undefined : at + end);
    return splitAt(line, separators.field, MOST_FIELDS);
  }
  return undefined;
}
