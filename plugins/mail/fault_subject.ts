import type { FaultSubject } from "../../core/plugin.ts";
import { type MailDraft, recipientsOf, toMessage } from "./capture.ts";

/** What the conditions of faults look at: a message before its capture, without the bytes of its attachments. */
export function toFaultSubject(draft: MailDraft): Omit<FaultSubject, "raw"> {
  const attachments = draft.attachments.map(({ bytes, ...about }) => ({
    ...about,
    size: bytes.length,
  }));
  const payload = { ...toMessage(draft, []), attachments };
  return { payload, summary_parts: { to: recipientsOf(draft) } };
}
