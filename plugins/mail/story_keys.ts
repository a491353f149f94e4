import { headerKeys } from "../../core/stories/key.ts";
import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { Address, MailMessage } from "./model.ts";

/** Fields whose message ids are of one conversation: RFC 5322 section 3.6.4. */
const THREAD_FIELDS: ReadonlySet<string> = new Set(["message-id", "in-reply-to", "references"]);

/** Characters of such a field that are read; `References` of a long conversation is cut. */
const MOST_CHARACTERS = 8192;

/**
 * Returns the recipients, the message ids of the conversation, and the trace and ids of the flow in
 * the header. Copies do not count as recipients: an archive that receives all emails would join them
 * into one story.
 */
export function storyKeysOfMail(event: CapturedEvent): StoryKey[] {
  const { to, cc, bcc, headers = {} } = (event as CapturedEvent<MailMessage>).payload;
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const)
  );
  const ids = pairs.filter(([name]) => THREAD_FIELDS.has(name.toLowerCase()))
    .flatMap(([, value]) => value.slice(0, MOST_CHARACTERS).match(/<[^<>\s]+>/g) ?? []);
  return [
    ...(to ?? cc ?? bcc ?? []).map(toKey),
    ...[...new Set(ids)].map((value) => ({ kind: "id", name: "Message-ID", value } as const)),
    ...headerKeys(pairs),
  ];
}

/** RFC 5321 section 2.4: local parts are case-sensitive in theory, but not in practice. */
function toKey({ email }: Address): StoryKey {
  return { kind: "recipient", name: "email address", value: email.toLowerCase() };
}
