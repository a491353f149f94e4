/**
 * What a refusal lists (SendGrid v3 Mail Send, "Errors"), collected while a request is read: the vendor names every
 * violation of a request at once.
 *
 * @module
 */
import { isJsonObject, jsonType } from "../../../core/codec/json_lenient.ts";

/** One member of `errors`. */
export interface Violation {
  readonly message: string;
  /** Path of the property, list positions included: `personalizations.0.to.1.email`. */
  readonly field: string | null;
}

const ERRORS_PAGE = "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html";
/** Most violations listed: a hostile body can hold millions. */
const MAX_LISTED = 1000;
/** Most members of an object at the top of a request: they are copied into each of a thousand messages. */
const MAX_COMMON = 1000;

/** Link to the section of the vendor's error page about a property, or `null` without one. */
export function helpFor({ field }: Violation): string | null {
  if (field === null) return null;
  if (field === "personalizations") return `${ERRORS_PAGE}#-Personalizations-Errors`;
  // A repeated recipient is reported on its personalization.
  if (/^personalizations\.\d+$/.test(field)) return `${ERRORS_PAGE}#message.recipient-errors`;
  const section = field.replace(/\.\d+/g, "").replace(/\.email$/, "");
  return `${ERRORS_PAGE}#message.${section}`;
}

/**
 * Reads members by type and notes those of another type. Each reader gives `undefined` for a value that is absent,
 * `null`, or was noted; `message` replaces the general sentence where the vendor has its own.
 */
export class Report {
  readonly #found: Violation[] = [];

  get found(): readonly Violation[] {
    return this.#found;
  }

  add(field: string | null, message: string): void {
    if (this.#found.length < MAX_LISTED) this.#found.push({ field, message });
  }

  text(value: unknown, field: string, message?: string): string | undefined {
    if (typeof value === "string") return value;
    return this.#wrongType(value, field, { expected: "string", message });
  }

  integer(value: unknown, field: string, message?: string): number | undefined {
    if (Number.isInteger(value)) return value as number;
    return this.#wrongType(value, field, { expected: "integer", message });
  }

  boolean(value: unknown, field: string, message?: string): boolean | undefined {
    if (typeof value === "boolean") return value;
    return this.#wrongType(value, field, { expected: "boolean", message });
  }

  object(value: unknown, field: string): Readonly<Record<string, unknown>> | undefined {
    if (isJsonObject(value)) return value;
    return this.#wrongType(value, field, { expected: "object", message: undefined });
  }

  array(value: unknown, field: string, message?: string): readonly unknown[] | undefined {
    if (Array.isArray(value)) return value;
    return this.#wrongType(value, field, { expected: "array", message });
  }

  /** An object of free names, which at the top of a request may have 1000. */
  map(value: unknown, field: string): Readonly<Record<string, unknown>> | undefined {
    const members = this.object(value, field);
    const isCommon = !field.includes(".");
    if (members === undefined || !isCommon || Object.keys(members).length <= MAX_COMMON) {
      return members;
    }
    this.add(field, `You are limited to ${MAX_COMMON} members of ${field}.`);
    return undefined;
  }

  /** Such an object, all of whose members are text. */
  texts(
    value: unknown,
    field: string,
    message: string,
  ): Readonly<Record<string, string>> | undefined {
    const members = this.map(value, field);
    if (members === undefined) return undefined;
    if (Object.values(members).every((member) => typeof member === "string")) {
      return members as Readonly<Record<string, string>>;
    }
    this.add(field, message);
    return undefined;
  }

  #wrongType(
    value: unknown,
    field: string,
    about: { readonly expected: string; readonly message: string | undefined },
  ): undefined {
    if (value === undefined || value === null) return;
    this.add(
      field,
      about.message ?? `Invalid type. Expected: ${about.expected}, given: ${jsonType(value)}.`,
    );
  }
}
