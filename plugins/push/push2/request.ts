import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeText, isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { memberSpans, scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { readAps } from "../aps.ts";
import type { DraftData, PushDraft } from "../capture.ts";

/** Largest payload of a push type, in bytes. */
export function payloadLimit(pushType: string | undefined): number {
  return pushType === "voip" ? 5120 : 4096;
}

/** Parts of a push that the body defines. */
export interface Content {
  readonly draft: Pick<
    PushDraft,
    "alert" | "data" | "wakes" | "carries" | "unreadable" | "payloads"
  >;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Reads a body; anything but a JSON object is stored as sent. */
export function readPayload(body: Uint8Array): Content {
  try {
    const text = decodeText(body);
    const json = parseJson(text);
    if (!isJsonObject(json)) return unreadable(body, "the payload is not a JSON object", json);
    const { alert, wakes, carries, meta } = readAps(json);
    const data = readData(text, json);
    return {
      draft: {
        alert,
        wakes,
        carries,
        data,
        payloads: [{ format: "push2.payload", bytes: body, json }],
      },
      meta,
    };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const content = unreadable(body, "the payload is not JSON", undefined);
    return { ...content, meta: { parse_error: error.message } };
  }
}

function unreadable(body: Uint8Array, reason: string, json: unknown): Content {
  return {
    draft: {
      wakes: false,
      carries: false,
      unreadable: reason,
      payloads: [{ format: "push2.payload", bytes: body, json }],
    },
    meta: {},
  };
}

/** Everything but `aps`, each value as sent. */
function readData(text: string, json: Readonly<Record<string, unknown>>): DraftData | undefined {
  const { aps: _, ...rest } = json;
  if (Object.keys(rest).length === 0) return undefined;
  const members = [...memberSpans(text, scanJson(text))]
    .filter(([name]) => name !== "aps")
    .map(([name, span]) => `${JSON.stringify(name)}:${sliceJson(text, span)}`);
  return { text: `{${members.join(",")}}`, json: rest };
}
