import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { SmsMessage } from "./model.ts";

/**
 * Returns the number of the person, as sender or recipient, and the event that the application's
 * answer follows. A channel prefix such as `whatsapp:` is removed, because it is the same person.
 */
export function storyKeysOfSms(event: CapturedEvent): StoryKey[] {
  const { to, from, direction } = (event as CapturedEvent<SmsMessage>).payload;
  const number = (direction === "inbound" ? from ?? "" : to).replace(/^(?!arn:)[a-z]+:/, "");
  const { in_reply_to: answered } = event.meta;
  return [
    { kind: "recipient", name: nameOf(number), value: number },
    { kind: "id", name: "event", value: event.id },
    ...(typeof answered === "string"
      ? [{ kind: "id", name: "event", value: answered } as const]
      : []),
  ];
}

/** Topics and email addresses are recipients, too. */
function nameOf(recipient: string): string {
  if (recipient.startsWith("arn:")) return "topic";
  return recipient.includes("@") ? "address" : "phone number";
}
