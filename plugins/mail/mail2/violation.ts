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

/** What is wrong with a request, in the order found. */
export class Report {
  readonly #found: Violation[] = [];

  get found(): readonly Violation[] {
    return this.#found;
  }

  add(field: string | null, message: string): void {
    if (this.#found.length < MAX_LISTED) this.#found.push({ field, message });
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const NO_MEMBERS: JsonObject = {};

/**
 * One object of a request, whose members are read by name and type; those of another type are noted. Each reader gives
 * `undefined` for a member that is absent, `null`, or was noted; `message` replaces the general sentence where the
 * vendor has its own. Paths are put together only for what is noted.
 */
export class Place {
  readonly report: Report;
  readonly #members: JsonObject;
  readonly #within: Place | undefined;
  readonly #name: string;
  readonly #index: number;

  /** Without `within` the whole request; with an `index`, a member of the list `name`. */
  constructor(report: Report, members: JsonObject, within?: Place, name = "", index = -1) {
    this.report = report;
    this.#members = members;
    this.#within = within;
    this.#name = name;
    this.#index = index;
  }

  /** Path of a member, or without a name of the object itself; list positions are counted in. */
  path(name = ""): string {
    const own = this.#index < 0 ? this.#name : `${this.#name}.${this.#index}`;
    const path = this.#within === undefined ? own : this.#within.path(own);
    return path === "" || name === "" ? path + name : `${path}.${name}`;
  }

  /** Notes what is wrong with a member. */
  add(name: string, message: string): void {
    this.report.add(this.path(name), message);
  }

  /** Of any type. */
  value(name: string): unknown {
    return this.#members[name] ?? undefined;
  }

  text(name: string, message?: string): string | undefined {
    const value = this.#members[name];
    return typeof value === "string" ? value : this.#wrongType(name, "string", message);
  }

  /** As `text()`, but empty for a member that is absent. */
  textOrEmpty(name: string, message?: string): string | undefined {
    return this.value(name) === undefined ? "" : this.text(name, message);
  }

  integer(name: string, message?: string): number | undefined {
    const value = this.#members[name];
    if (Number.isInteger(value)) return value as number;
    return this.#wrongType(name, "integer", message);
  }

  boolean(name: string, message?: string): boolean | undefined {
    const value = this.#members[name];
    return typeof value === "boolean" ? value : this.#wrongType(name, "boolean", message);
  }

  object(name: string): JsonObject | undefined {
    const value = this.#members[name];
    return isJsonObject(value) ? value : this.#wrongType(name, "object");
  }

  array(name: string, message?: string): readonly unknown[] | undefined {
    const value = this.#members[name];
    return Array.isArray(value) ? value : this.#wrongType(name, "array", message);
  }

  /** A member that is an object, to be read in its turn. */
  place(name: string): Place | undefined {
    const members = this.object(name);
    return members && new Place(this.report, members, this, name);
  }

  /** An object in a list, to be read in its turn; `null` counts as one without members. */
  item(name: string, index: number): Place | undefined {
    const list = this.#members[name] as readonly unknown[];
    const value = list[index] ?? NO_MEMBERS;
    if (isJsonObject(value)) return new Place(this.report, value, this, name, index);
    this.add(`${name}.${index}`, wrongType("object", value));
    return undefined;
  }

  /** An object of free names, which at the top of a request may have 1000. */
  map(name: string): JsonObject | undefined {
    const members = this.object(name);
    if (members === undefined || this.#within !== undefined) return members;
    if (Object.keys(members).length <= MAX_COMMON) return members;
    this.add(name, `You are limited to ${MAX_COMMON} members of ${name}.`);
    return undefined;
  }

  /** Such an object, all of whose members are text. */
  texts(name: string, message: string): Readonly<Record<string, string>> | undefined {
    const members = this.map(name);
    if (members === undefined) return undefined;
    if (Object.values(members).every((member) => typeof member === "string")) {
      return members as Readonly<Record<string, string>>;
    }
    this.add(name, message);
    return undefined;
  }

  #wrongType(name: string, expected: string, message?: string): undefined {
    const value = this.#members[name];
    if (value === undefined || value === null) return;
    this.add(name, message ?? wrongType(expected, value));
  }
}

function wrongType(expected: string, value: unknown): string {
  return `Invalid type. Expected: ${expected}, given: ${jsonType(value)}.`;
}
