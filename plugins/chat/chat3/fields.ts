/** Types, lengths and their error texts, as the vendor words them: https://docs.discord.com/developers/reference#error-messages */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { FieldFault } from "./refusals.ts";

/** Maximum number of reported faults: a hostile body can have millions. */
const MAX_FAULTS = 100;

type Json = Readonly<Record<string, unknown>>;

/** Collects the faults of a body. */
export class Faults {
  readonly found: FieldFault[] = [];

  add(path: string, code: string, message: string): undefined {
    if (this.found.length < MAX_FAULTS) this.found.push({ path, code, message });
  }

  /** Returns a text of at most `max` characters; `undefined` if absent. */
  text(of: Json, name: string, { at = "", max, min = 0 }: TextRule): string | undefined {
    const value = of[name];
    if (value === undefined || value === null) return undefined;
    const path = `${at}${name}`;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      return this.add(
        path,
        "STRING_TYPE_CONVERT",
        `Could not interpret "${asShown(value)}" as string.`,
      );
    }
    const text = String(value);
    const length = lengthOf(text);
    if (min > 0 && (length < min || length > max)) {
      return this.add(
        path,
        "BASE_TYPE_BAD_LENGTH",
        `Must be between ${min} and ${max} in length.`,
      );
    }
    if (length > max) {
      return this.add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
    }
    return text;
  }

  /** Returns a required text. */
  required(of: Json, name: string, rule: TextRule): string {
    const text = this.text(of, name, rule);
    const isMissing = of[name] === undefined || of[name] === null || text?.trim() === "";
    if (isMissing) {
      this.add(`${rule.at ?? ""}${name}`, "BASE_TYPE_REQUIRED", "This field is required");
    }
    return text ?? "";
  }

  /** Returns the objects of a list of at most `max`; empty if absent. */
  objects(of: Json, name: string, { at = "", max }: { at?: string; max: number }): readonly Json[] {
    const value = of[name];
    if (value === undefined || value === null) return [];
    const path = `${at}${name}`;
    if (!Array.isArray(value)) {
      this.add(path, "BASE_TYPE_CHOICES", "Only iterables may be used in a ListType");
      return [];
    }
    if (value.length > max) {
      this.add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
      return [];
    }
    return value.flatMap((item: unknown, index) => {
      if (isJsonObject(item)) return [item];
      this.add(
        `${path}.${index}`,
        "MODEL_TYPE_CONVERT",
        "Only dictionaries may be used in a ModelType",
      );
      return [];
    });
  }

  /** Returns an object; `undefined` if absent. */
  object(of: Json, name: string, at = ""): Json | undefined {
    const value = of[name];
    if (value === undefined || value === null) return undefined;
    if (isJsonObject(value)) return value;
    return this.add(
      `${at}${name}`,
      "MODEL_TYPE_CONVERT",
      "Only dictionaries may be used in a ModelType",
    );
  }

  /** A web address. */
  url(of: Json, name: string, at: string, schemes: readonly string[] = ["http", "https"]): void {
    const text = this.text(of, name, { at, max: 2048 });
    if (text === undefined || text === "") return;
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined || !URL.canParse(text)) {
      return this.add(`${at}${name}`, "URL_TYPE_INVALID_URL", "Not a well formed URL.");
    }
    if (schemes.includes(scheme)) return;
    const list = schemes.map((one) => `'${one}'`).join(", ");
    this.add(
      `${at}${name}`,
      "URL_TYPE_INVALID_SCHEME",
      `Scheme "${scheme}" is not supported. Scheme must be one of (${list}).`,
    );
  }
}

interface TextRule {
  readonly at?: string;
  readonly max: number;
  readonly min?: number;
}

/** The vendor counts code points, without the white space around (github.com/discord/discord-api-docs/issues/1315). */
export function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count++;
  return count;
}

function asShown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}
