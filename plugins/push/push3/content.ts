/**
 * Effect of a decrypted payload in a user agent. Declarative Web Push defines what is shown
 * (https://www.w3.org/TR/push-api/#declarative-push-message); any other payload goes to a service
 * worker, and common formats are parsed: the options of a notification, on their own or under
 * `notification`, as Angular's worker expects them
 * (https://angular.dev/ecosystem/service-workers/push-notifications).
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { memberSpans, scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { compact } from "../../../core/compact.ts";
import { hasEffect, toAlert } from "../alert.ts";
import type { DraftData, PushDraft } from "../capture.ts";

type Json = Readonly<Record<string, unknown>>;

/** Content of a payload. */
export interface Content extends Pick<PushDraft, "alert" | "data" | "decidedBy"> {
  /** The payload, if it is JSON. */
  readonly json: unknown;
}

/** Members of an alert. */
const SHOWN: ReadonlySet<string> = new Set(["title", "body", "image", "notification"]);

/** Reads a decrypted payload. */
export function readContent(bytes: Uint8Array): Content {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { json: undefined, decidedBy: "worker" };
  }
  const json = parsed(text);
  if (!isJsonObject(json)) {
    const body = typeof json === "string" ? json : json === undefined ? text : undefined;
    return { json, decidedBy: "worker", ...compact({ alert: toAlert({ body }) }) };
  }
  const { notification } = json;
  const shown = isJsonObject(notification) ? notification : json;
  const declared = json.web_push === 8030 && typeof shown.title === "string";
  const alert = toAlert({
    title: shown.title,
    body: shown.body,
    image: shown.image,
    badge: shown.app_badge ?? json.app_badge,
  });
  const data = restOf(text, json, hasEffect(alert));
  return {
    json,
    ...compact({ alert, data }),
    ...(!declared && { decidedBy: "worker" }),
  };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** Returns everything that is not shown, each value as sent. */
function restOf(text: string, json: Json, isShown: boolean): DraftData | undefined {
  const isData = (name: string): boolean => !(isShown && SHOWN.has(name)) && name !== "web_push";
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => isData(name)));
  if (Object.keys(rest).length === 0) return undefined;
  const members = [...memberSpans(text, scanJson(text))]
    .filter(([name]) => isData(name))
    .map(([name, span]) => `${JSON.stringify(name)}:${sliceJson(text, span)}`);
  return { text: `{${members.join(",")}}`, json: rest };
}
