import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { SmsMessage } from "./model.ts";

/**
 * Returns the number of the person, on whichever end, and the event that an answer of the application follows. A number
 * has the prefix of another channel, such as `whatsapp:`, which is left out: it is the same person.
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

/** Topics and mail addresses are recipients, too. */
function nameOf(recipient: string): string {
  if (recipient.startsWith("arn:")) return "topic";
  return recipient.includes("@") ? "address" : "phone number";
}
