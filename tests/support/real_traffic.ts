/**
 * Bytes of real clients, by decoder: the captured samples of `standin demo`.
 *
 * @module
 */
import type { CapturedEvent } from "../../core/events/event.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { startService } from "./service.ts";

/** Decoders by the provider whose captured bytes they read. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  smtp: ["mime", "mime-parts", "smtp-data", "extract"],
  mail1: ["json"],
  mail2: ["json"],
  mail3: ["json", "extract"],
  sms1: ["form", "sms-segments"],
  chat1: ["json"],
  chat2: ["json"],
  chat3: ["json"],
  chat4: ["json"],
  push1: ["json"],
  push2: ["json"],
  mllp: ["hl7", "mllp"],
  trap: ["snmp"],
};
/** Larger bodies are mostly attachments, whose mutations are of little use. */
const MAX_BYTES = 8192;

/** Bodies by name of the decoder. Starts a service, and sends it every sample. */
export async function realTraffic(): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  await using service = await startService();
  await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  const found = new Map<string, Uint8Array[]>();
  for (const event of service.events.list({})) {
    const { body } = event.raw;
    if (body.length === 0 || body.length > MAX_BYTES) continue;
    for (const name of decodersOf(event)) {
      found.set(name, [...found.get(name) ?? [], body]);
    }
  }
  return found;
}

function decodersOf({ plugin, provider }: CapturedEvent): readonly string[] {
  if (plugin === "as2") return ["as2-cms", "mime"];
  return READ_BY[provider] ?? [];
}
