import { WireError } from "../../../core/bytes/decoder.ts";
import { type JsonObject, Violations } from "../../../core/codec/json_fields.ts";
import { decodeText, isJsonObject, parseJson, readJson } from "../../../core/codec/json_lenient.ts";
import {
  type JsonMembers,
  type JsonSpan,
  memberSpans,
  scanJson,
  sliceJson,
} from "../../../core/codec/json_span.ts";
import { compact } from "../../../core/compact.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { hasEffect, toAlert, toLocalization } from "../alert.ts";
import { readAps } from "../aps.ts";
import type { DraftData, DraftPayload, PushDraft } from "../capture.ts";
import type {
  PushAlert,
  PushDelivery,
  PushExpiry,
  PushPayloadFormat,
  PushPriority,
} from "../model.ts";
import { checkDataKeys, checkSize } from "./checks.ts";
import { SEND_REQUEST } from "../fcm_fields.ts";
import { describeBrokenJson, openFields, readMessage } from "./proto_json.ts";
import { invalidArgument, type VendorRefusal } from "./reply.ts";
import { isTopicName, readTarget } from "./target.ts";

export interface SendRequest {
  readonly draft: Omit<PushDraft, "app">;
  readonly validateOnly: boolean;
  /** Documented fields without a place in the model. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Maximum number of violations reported; a hostile request can have a million. */
const MAX_VIOLATIONS = 50;

/** Sections for one platform each. */
const SECTIONS = ["android", "apns", "webpush"] as const;

/** Reads a body. */
export function readSend(
  body: Uint8Array,
  contentType: string | null,
): Result<SendRequest, VendorRefusal> {
  let text: string;
  let sent: unknown;
  try {
    text = decodeText(body, contentType);
    sent = parseJson(text);
  } catch (error) {
    if (error instanceof WireError) return unreadable(describeBrokenJson(body, contentType));
    throw error;
  }
  if (!isJsonObject(sent)) {
    return unreadable(
      'Invalid JSON payload received. Unknown name "": Root element must be a message.',
    );
  }
  const violations = new Violations(MAX_VIOLATIONS);
  const request = readMessage(openFields(sent, violations), SEND_REQUEST);
  const sentMessage = isJsonObject(sent.message) ? sent.message : {};
  const message = fieldsOf(request, "message");
  // A message of another type has been reported.
  const target = violations.found.some(({ field }) => field === "message")
    ? undefined
    : readTarget(message, { sent: sentMessage, violations });
  checkDataKeys(message, violations);
  checkSize(message, violations);
  if (target === undefined || violations.found.length > 0) {
    return failure(invalidArgument(violations.found));
  }
  return success({
    draft: { target, ...toContent({ body, text, sent }, message) },
    validateOnly: request.validate_only === true,
    meta: toMeta(message),
  });
}

interface Sent {
  readonly body: Uint8Array;
  readonly text: string;
  readonly sent: JsonObject;
}

function toContent(
  { body, text, sent }: Sent,
  message: JsonObject,
): Omit<PushDraft, "app" | "target"> {
  const android = fieldsOf(message, "android");
  const slices = sliceMessage(text, sent);
  const { payload } = fieldsOf(message, "apns");
  const aps = readAps(payload);
  const data = dataOf(message, slices);
  const appleKeys = isJsonObject(payload)
    ? Object.keys(payload).filter((key) => key !== "aps")
    : [];
  return {
    ...chooseAlert(message, aps.alert),
    wakes: aps.wakes,
    carries: aps.carries || appleKeys.length > 0,
    ...compact({ data }),
    delivery: toDelivery(android),
    payloads: [
      { format: "push1.v1.message", bytes: body, json: sent },
      ...SECTIONS.flatMap((name) => slices.payload(name)),
    ],
  };
}

/** Returns the alert of all platforms; a section for one platform counts only without one. */
function chooseAlert(
  message: JsonObject,
  apple: PushAlert | undefined,
): Pick<PushDraft, "alert" | "alertSection"> {
  const common = toCommonAlert(message);
  if (hasEffect(common)) return { alert: common };
  if (hasEffect(apple)) return { alert: apple, alertSection: "apns" };
  const web = fieldsOf(message, "webpush").notification;
  const shown = isJsonObject(web)
    ? toAlert({ title: web.title, body: web.body, image: web.image })
    : undefined;
  return hasEffect(shown) ? { alert: shown, alertSection: "webpush" } : { alert: common };
}

/** `android.notification` overrides `notification` key by key. */
function toCommonAlert(message: JsonObject): PushAlert | undefined {
  const shown: JsonObject = {
    ...fieldsOf(message, "notification"),
    ...fieldsOf(fieldsOf(message, "android"), "notification"),
  };
  return toAlert({
    title: shown.title,
    body: shown.body,
    // In the older API the same field chose the buttons on Apple devices.
    category: shown.click_action,
    image: shown.image,
    sound: shown.sound ?? (shown.default_sound === true ? "default" : undefined),
    badge: shown.notification_count,
    localization: toLocalization({
      title_key: shown.title_loc_key,
      title_args: shown.title_loc_args,
      body_key: shown.body_loc_key,
      body_args: shown.body_loc_args,
    }),
  });
}

const LEVELS: Readonly<Record<string, PushPriority>> = { HIGH: "high", NORMAL: "normal" };

function toDelivery({ priority, collapse_key, ttl }: JsonObject): PushDelivery {
  return {
    ...(typeof priority === "string" &&
      compact({ priority: LEVELS[priority.toUpperCase()], priority_raw: priority })),
    ...(typeof collapse_key === "string" && collapse_key !== "" && { collapse_key }),
    ...(typeof ttl === "string" && { expiry: toExpiry(ttl) }),
  };
}

function toExpiry(raw: string): PushExpiry {
  const seconds = Number(raw.slice(0, -1));
  return { ttl_seconds: Math.trunc(seconds), immediate: seconds === 0, raw };
}

/** `android.data`, else `webpush.data`, else `data`. */
function dataOf(message: JsonObject, slices: Slices): DraftData | undefined {
  for (const section of ["android", "webpush", undefined] as const) {
    const json = (section === undefined ? message : fieldsOf(message, section)).data;
    if (isJsonObject(json) && Object.keys(json).length > 0) {
      return { text: slices.data(section), json };
    }
  }
  return undefined;
}

/** Parts of the text as sent. */
interface Slices {
  data(section: "android" | "webpush" | undefined): string;
  payload(section: typeof SECTIONS[number]): readonly DraftPayload[];
}

function sliceMessage(text: string, sent: JsonObject): Slices {
  const root = memberSpans(text, scanJson(text));
  const message = fieldsOf(sent, "message");
  const members = membersAt(text, root.get("message"));
  const cut = (span: JsonSpan | undefined): string =>
    span === undefined ? "" : sliceJson(text, span);
  return {
    data(section) {
      const at = section === undefined ? members : membersAt(text, members.get(section));
      return cut(at.get("data"));
    },
    payload(section) {
      const json = message[section];
      if (!isJsonObject(json)) return [];
      const format: PushPayloadFormat = `push1.v1.${section}`;
      return [{ format, bytes: new TextEncoder().encode(cut(members.get(section))), json }];
    },
  };
}

function membersAt(text: string, span: JsonSpan | undefined): Pick<JsonMembers, "get"> {
  return span === undefined ? new Map() : memberSpans(text, span);
}

/** Fields without a place in the model. Other sections are stored only as sent. */
function toMeta(message: JsonObject): Readonly<Record<string, unknown>> {
  const { notification: _shown, data: _data, ...android } = fieldsOf(message, "android");
  const own = ["collapse_key", "priority", "ttl"];
  const shownAs = ["title", "body", "image", "sound", "notification_count"];
  const found = {
    fcm_options: fieldsOf(message, "fcm_options"),
    android: without(android, own),
    android_notification: without(fieldsOf(fieldsOf(message, "android"), "notification"), shownAs),
  };
  return Object.fromEntries(
    Object.entries(found).filter(([, fields]) => Object.keys(fields).length > 0),
  );
}

function without(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) =>
      !names.includes(name) && !/_loc_(key|args)$/.test(name)
    ),
  );
}

function fieldsOf(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return isJsonObject(value) ? value : {};
}

function unreadable(message: string): Result<never, VendorRefusal> {
  return failure(invalidArgument([{ field: "", message }]));
}

/**
 * Maximum number of tokens in one call (https://firebase.google.com/docs/cloud-messaging/manage-topic-subscriptions).
 */
const MAX_TOKENS = 1000;

/** Reads the body of `:batchAdd` and `:batchRemove` into the tokens it names. */
export function readTopics(
  body: Uint8Array,
  contentType: string | null,
): Result<readonly unknown[], VendorRefusal> {
  const json = readJson(body, contentType);
  const sent = json.ok && isJsonObject(json.value) ? json.value : {};
  const { registration_tokens: tokens, to } = sent;
  if (!isTopicName(to)) {
    return failure(invalidArgument([{ field: "to", message: "Invalid topic name provided." }]));
  }
  if (Array.isArray(tokens) && tokens.length > 0 && tokens.length <= MAX_TOKENS) {
    return success(tokens);
  }
  const message = `registration_tokens must be a list of 1 to ${MAX_TOKENS} tokens`;
  return failure(invalidArgument([{ field: "registration_tokens", message }]));
}
