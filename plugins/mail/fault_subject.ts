import type { FaultSubject } from "../../core/plugin.ts";
import { type MailDraft, recipientsOf, toMessage } from "./capture.ts";

/**
 * Maximum number of characters of all bodies in the subjects of a call; further bodies are left
 * out.
 */
const MAX_CHARS = 16 * 1024 * 1024;

/** Subjects of fault rules for the messages of a call, which are rendered one at a time. */
export async function toFaultSubjects(
  drafts: Iterable<MailDraft> | AsyncIterable<MailDraft>,
): Promise<Omit<FaultSubject, "raw">[]> {
  const subjects: Omit<FaultSubject, "raw">[] = [];
  let chars = 0;
  for await (const draft of drafts) {
    chars += draft.text.length + draft.html.length;
    subjects.push(toFaultSubject(chars > MAX_CHARS ? { ...draft, text: "", html: "" } : draft));
  }
  return subjects;
}

/** Subject of fault rules: a message before its capture, without the bytes of its attachments. */
export function toFaultSubject(draft: MailDraft): Omit<FaultSubject, "raw"> {
  const attachments = draft.attachments.map(({ bytes, ...about }) => ({
    ...about,
    size: bytes.length,
  }));
  const payload = { ...toMessage(draft, []), attachments };
  return { payload, summary_parts: { to: recipientsOf(draft) } };
}
