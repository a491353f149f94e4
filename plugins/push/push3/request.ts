import { WireError } from "../../../core/bytes/decoder.ts";
import type { HeaderValues } from "../../../core/plugin.ts";
import { attempt, Refused, type Result } from "../../../core/result.ts";
import type { PushDraft } from "../capture.ts";
import { readContent } from "./content.ts";
import { decryptAes128gcm, decryptAesgcm } from "./encryption.ts";
import { type Coding, type PushHeaders, readHeaders } from "./headers.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import type { SubscriptionKeys } from "./subscription.ts";

/**
 * Largest encrypted payload, in bytes: the size that every service must accept (RFC 8030 section
 * 7.2).
 */
const MAX_BYTES = 4096;

/** A push as sent. */
export interface PushRequest {
  readonly headers: PushHeaders;
  readonly draft: Pick<
    PushDraft,
    "alert" | "data" | "wakes" | "carries" | "unreadable" | "decidedBy" | "payloads" | "delivery"
  >;
}

/** A request, and the keys of its subscription if that was created here. */
export interface PushCall {
  readonly body: Uint8Array;
  readonly headers: HeaderValues;
  readonly keys: SubscriptionKeys | undefined;
}

/** Parses a push, and decrypts it if its subscription was created here. */
export function readPush({ body, headers, keys }: PushCall): Result<PushRequest, VendorRefusal> {
  return attempt(() => {
    if (body.length > MAX_BYTES) throw new Refused(REFUSALS.tooLarge);
    const read = readHeaders(headers, body.length > 0);
    return {
      headers: read,
      draft: { ...readPayload(body, read.coding, keys), delivery: read.delivery },
    };
  });
}

function readPayload(
  body: Uint8Array,
  coding: Coding,
  keys: SubscriptionKeys | undefined,
): Omit<PushRequest["draft"], "delivery"> {
  // RFC 8030 section 5: a push may have no payload; it then only runs the service worker.
  if (coding.name === "none") {
    return { wakes: true, carries: false, decidedBy: "worker", payloads: [] };
  }
  const sent = { format: "push3.body", bytes: body, json: undefined } as const;
  try {
    if (keys === undefined) {
      throw new WireError("syntax", "its subscription was not created here, so it stays encrypted");
    }
    const bytes = coding.name === "aes128gcm"
      ? decryptAes128gcm(body, keys)
      : decryptAesgcm(body, keys, coding.header);
    const { json, ...content } = readContent(bytes);
    return {
      wakes: false,
      carries: bytes.length > 0,
      ...content,
      payloads: [sent, { format: "push3.payload", bytes, json }],
    };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const unreadable = `the payload cannot be read: ${error.message}`;
    return { wakes: false, carries: false, decidedBy: "worker", unreadable, payloads: [sent] };
  }
}
