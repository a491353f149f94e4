/** The head of an AS2 message (RFC 4130 section 6); the plugin opens its body. */
import { largestWork } from "../../../core/memory/size.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Envelope, Reading } from "../capture.ts";
import { readAs2Name, readOctetText, readReceiptRequest } from "../codec/as2_header.ts";
import type { Env } from "./options.ts";

/** Loaded with the first message, because it needs the certificate libraries. */
export function capturing(): Promise<typeof import("../capture.ts")> {
  return import("../capture.ts");
}

/** How a message is opened and answered. */
export function readingOf(
  call: IngressCall,
  { values: { as2_to: to, max_body }, ctx }: Env,
  fault: Reading["fault"],
): Reading {
  const maxBytes = Math.min(max_body, largestWork(ctx.memory));
  return { to, maxBytes, envelope: readEnvelope(call), fault };
}

/** Reads sender, recipient and receipt request. */
export function readEnvelope({ headers }: IngressCall): Envelope {
  const text = (name: string): string | undefined => {
    const value = headers.get(name);
    return value === null || value === "" ? undefined : readOctetText(value);
  };
  const entries = [
    ["as2_version", text("as2-version")],
    ["content_type", text("content-type")],
    ["date", text("date")],
    ["message_id", text("message-id")],
    ["subject", text("subject")],
    ["user_agent", text("user-agent")],
  ].filter(([, value]) => value !== undefined);
  return {
    from: readAs2Name(text("as2-from") ?? ""),
    to: readAs2Name(text("as2-to") ?? ""),
    receipt: readReceiptRequest(headers),
    about: Object.fromEntries(entries),
  };
}
