import { toLatin1 } from "../../core/bytes/latin1.ts";
import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { As2Message } from "./model.ts";

/** Bytes of a receipt that are read: its second part follows a short text for people (RFC 3798 section 3). */
const READ_BYTES = 16_384;

/**
 * Returns the Message-ID, and the one in a receipt: `Original-Message-ID` of RFC 3798 section
 * 3.2.5. The name of the partner is not used as a recipient, because it is the same in all
 * messages.
 */
export function storyKeysOfAs2({ payload, raw }: CapturedEvent): StoryKey[] {
  const { message_id: id, payload: document } = payload as As2Message;
  const isReceipt = /multipart\/report|disposition-notification/i.test(
    `${document.content_type} ${document.preview}`,
  );
  const text = isReceipt ? toLatin1(raw.body.subarray(0, READ_BYTES)) : "";
  const original = /^Original-Message-ID:\s*(?<id>\S+)/im.exec(text)?.groups?.id;
  return [id, original].flatMap((value) =>
    value === undefined ? [] : [{ kind: "id", name: "AS2 Message-ID", value } as const]
  );
}
