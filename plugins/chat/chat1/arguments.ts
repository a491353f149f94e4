/**
 * Arguments of a call: a JSON object, a form whose structured values are JSON texts, or a form with the JSON object in
 * `payload` (https://docs.slack.dev/apis/web-api and /messaging/sending-messages-using-incoming-webhooks).
 * Structured values keep their text as sent.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields } from "../../../core/codec/form.ts";
import { decodeFormData } from "../../../core/http/form_data.ts";
import { checkShape, decodeText } from "../../../core/codec/json_lenient.ts";
import { type JsonSpan, memberSpans, scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { VendorRefusal } from "./refusals.ts";

/** Arguments by name. */
export interface Arguments {
  /** Returns a scalar as text: numbers as written. `undefined` when absent, null or structured. */
  text(name: string): string | undefined;
  /**
   * Returns a structured value as JSON text, which is valid JSON only if received in a JSON body. `undefined` when
   * absent or null.
   */
  json(name: string): string | undefined;
}

/** Reads the arguments of a body. With `fields` false, only the `payload` of a form counts. */
export async function readArguments(
  body: Uint8Array,
  contentType: string | null,
  { fields = true }: { fields?: boolean } = {},
): Promise<Result<Arguments, VendorRefusal>> {
  const type = (contentType ?? "").split(";")[0]!.trim().toLowerCase();
  try {
    if (type === "multipart/form-data") {
      return fromForm(await decodeFormData(body, contentType ?? ""), fields);
    }
    if (isForm(body, type)) return fromForm(decodeForm(body), fields);
    return fromJson(decodeText(body, contentType));
  } catch (error) {
    if (error instanceof WireError) {
      const isForm = error.message.startsWith("Cannot read the form");
      return failure({ error: isForm ? "invalid_form_data" : "invalid_json" });
    }
    if (error instanceof TypeError) return failure({ error: "invalid_form_data" });
    throw error;
  }
}

/** Returns a flag: `true`, `false`, `1` or `0`, in any case. */
export function readFlag(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  const word = text.toLowerCase();
  if (word === "true" || word === "1") return true;
  return word === "false" || word === "0" ? false : undefined;
}

/** `curl -d '{...}'` claims to send a form, and other clients claim nothing: a form never begins with a brace. */
function isForm(body: Uint8Array, type: string): boolean {
  if (/\bjson$/.test(type) || /^[[{]/.test(firstCharacter(body))) return false;
  return type === "application/x-www-form-urlencoded" || body.length === 0 || body.includes(0x3d);
}

function fromForm(form: FormFields, fields: boolean): Result<Arguments, VendorRefusal> {
  const payload = form.first("payload");
  if (payload !== undefined) return fromJson(payload);
  if (!fields) return failure({ error: "invalid_form_data" });
  return success({ text: form.first, json: form.first });
}

function fromJson(text: string): Result<Arguments, VendorRefusal> {
  checkShape(text);
  const root = scanJson(text);
  if (text[root.start] !== "{") return failure({ error: "json_not_object" });
  const members = memberSpans(text, root);
  return success({
    text(name: string) {
      const value = valueOf(text, members.get(name));
      return value === undefined || /^[[{]/.test(value) ? undefined : unquote(value);
    },
    json(name: string) {
      const value = valueOf(text, members.get(name));
      return value === undefined ? undefined : unquote(value);
    },
  });
}

function valueOf(text: string, span: JsonSpan | undefined): string | undefined {
  if (span === undefined) return undefined;
  const value = sliceJson(text, span);
  return value === "null" ? undefined : value;
}

function unquote(value: string): string {
  return value.startsWith('"') ? JSON.parse(value) : value;
}

function firstCharacter(body: Uint8Array): string {
  // Enough to look past a byte order mark and white space.
  return new TextDecoder().decode(body.subarray(0, 256)).trimStart()[0] ?? "";
}
