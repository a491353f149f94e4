/**
 * The body of `POST /v3.1/send` (Mailjet Send API v3.1), read into drafts or into the vendor's faults.
 *
 * Three passes: types (one wrong type refuses the whole call), `Globals` merged under every message, then the rules
 * of each message on its own, so that one bad message does not stop the others.
 *
 * @module
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { overlayHeaders } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import { CallRefused, Fault } from "./fault.ts";
import { type Message, readFlag, readMessage, readProperties } from "./message.ts";
import { toDraft, toMeta } from "./draft.ts";
import { checkMessage } from "./rules.ts";

/** Most messages in one call. */
const MAX_MESSAGES = 50;

/** One member of `Messages`: a message to record, or what is wrong with it. */
export type Entry =
  | {
    readonly kind: "message";
    readonly draft: MailDraft;
    readonly customId: string;
    readonly meta: Readonly<Record<string, unknown>>;
  }
  | { readonly kind: "faulty"; readonly faults: readonly Fault[] };

/** What a call asks for, entry by entry, or why all of it is refused. */
export type SendCall =
  | { readonly kind: "refused"; readonly fault: Fault }
  | { readonly kind: "entries"; readonly sandbox: boolean; readonly entries: readonly Entry[] };

/** Reads a parsed body; never throws. */
export function readSend(body: unknown): SendCall {
  if (!isJsonObject(body)) return { kind: "refused", fault: Fault.malformed() };
  try {
    return readCall(readProperties(body));
  } catch (error) {
    if (error instanceof CallRefused) return { kind: "refused", fault: error.fault };
    throw error;
  }
}

function readCall(root: ReadonlyMap<string, unknown>): SendCall {
  const messages = root.get("messages");
  if (messages === undefined) return { kind: "refused", fault: Fault.missing("Messages") };
  if (!Array.isArray(messages)) throw CallRefused.wrongType("Messages", "Messages");
  if (messages.length === 0) return { kind: "refused", fault: Fault.emptyArray("Messages") };
  if (messages.length > MAX_MESSAGES) {
    return { kind: "refused", fault: Fault.tooMany("Messages", MAX_MESSAGES) };
  }
  const sandbox = readFlag(root.get("sandboxmode"), "SandboxMode") ?? false;
  const strict = readFlag(root.get("advanceerrorhandling"), "AdvanceErrorHandling");
  const globals = root.has("globals") ? readMessage(root.get("globals"), "Globals") : {};
  const entries = messages
    .map((message) => overlay(globals, readMessage(message, "Messages")))
    .map((message) => toEntry(message, { sandbox, strict }));
  return { kind: "entries", sandbox, entries };
}

/** Properties of a message over those of `Globals`; the two maps are overlaid name by name. */
function overlay(globals: Message, message: Message): Message {
  const { headers, variables } = globals;
  return {
    ...globals,
    ...message,
    ...(headers && { headers: overlayHeaders(headers, message.headers ?? []) }),
    ...(variables && { variables: { ...variables, ...message.variables } }),
  };
}

function toEntry(
  message: Message,
  call: { readonly sandbox: boolean; readonly strict: boolean | undefined },
): Entry {
  const faults = checkMessage(message);
  if (faults.length > 0) return { kind: "faulty", faults };
  return {
    kind: "message",
    draft: toDraft(message),
    customId: message.customId ?? "",
    meta: toMeta(message, call),
  };
}
