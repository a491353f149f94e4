/**
 * Reads members of JSON objects by name and type. Reports faults with their path, in the vendor's words.
 *
 * @module
 */
import { isJsonObject } from "./json_lenient.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A fault of one member. */
export interface Violation {
  /** Path of the member; empty for the request as a whole. */
  readonly field: string;
  /** In the vendor's words. */
  readonly message: string;
}

/** The faults of a request, in order, up to a limit: a hostile body can hold millions. */
export class Violations {
  readonly #found: Violation[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The faults found so far. */
  get found(): readonly Violation[] {
    return this.#found;
  }

  /** Adds a fault. */
  add(field: string, message: string): undefined {
    if (this.#found.length < this.#max) this.#found.push({ field, message });
  }
}

/** Names and messages of a format. */
export interface FieldRules {
  /** Records the fault of the member at a path, or throws it. */
  report(path: string, message: string): void;
  /**
   * The message for a member whose type is not the expected one: `array`, `boolean`, `integer`, `object`, `string`, or one of
   * the format's own.
   */
  wrongType(expected: string, at: { readonly path: string; readonly value: unknown }): string;
  /** The spelling of a name that counts in an object, `undefined` for none; the name itself unless given. */
  spell?(members: JsonObject, name: string): string | undefined;
}

const NO_MEMBERS: JsonObject = {};

/**
 * One object of a request. Each reader returns `undefined` for a member that is absent, `null` or at fault; `message`
 * replaces the general message where the vendor has a specific one. Paths are built only for faults.
 */
export class JsonFields {
  readonly #members: JsonObject;
  readonly #rules: FieldRules;
  readonly #parent: JsonFields | undefined;
  readonly #name: string;
  readonly #index: number;

  /** Without `parent` the whole request; with an `index`, an item of the list `name`. */
  constructor(
    members: JsonObject,
    rules: FieldRules,
    parent?: JsonFields,
    name = "",
    index = -1,
  ) {
    this.#members = members;
    this.#rules = rules;
    this.#parent = parent;
    this.#name = name;
    this.#index = index;
  }

  /** Whether this is the request itself, not an object within it. */
  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  /** Names of the members, as sent. */
  get names(): readonly string[] {
    return Object.keys(this.#members);
  }

  /** Path of a member, or of the object itself without a name; includes list positions: `to.0.email`. */
  path(name = ""): string {
    const own = this.#index < 0 ? this.#name : `${this.#name}.${this.#index}`;
    const path = this.#parent === undefined ? own : this.#parent.path(own);
    return path === "" || name === "" ? path + name : `${path}.${name}`;
  }

  /** Reports the fault of a member. */
  report(name: string, message: string): undefined {
    this.#rules.report(this.path(name), message);
  }

  /** Returns a member of any type. */
  value(name: string): unknown {
    if (this.#rules.spell === undefined) return this.#members[name] ?? undefined;
    const spelling = this.#rules.spell(this.#members, name);
    return spelling === undefined ? undefined : this.#members[spelling] ?? undefined;
  }

  /** Returns a string. */
  text(name: string, message?: string): string | undefined {
    const value = this.value(name);
    return typeof value === "string" ? value : this.#wrongType(name, "string", message);
  }

  /** As `text()`, but empty for an absent member. */
  textOrEmpty(name: string, message?: string): string | undefined {
    return this.value(name) === undefined ? "" : this.text(name, message);
  }

  /** Returns an integer. */
  integer(name: string, message?: string): number | undefined {
    const value = this.value(name);
    if (Number.isInteger(value)) return value as number;
    return this.#wrongType(name, "integer", message);
  }

  /** Returns a boolean. */
  boolean(name: string, message?: string): boolean | undefined {
    const value = this.value(name);
    return typeof value === "boolean" ? value : this.#wrongType(name, "boolean", message);
  }

  /** Returns an object as parsed. */
  object(name: string, message?: string): JsonObject | undefined {
    const value = this.value(name);
    return isJsonObject(value) ? value : this.#wrongType(name, "object", message);
  }

  /** Returns an array as parsed. */
  array(name: string, message?: string): readonly unknown[] | undefined {
    const value = this.value(name);
    return Array.isArray(value) ? value : this.#wrongType(name, "array", message);
  }

  /** Returns a reader for an object. */
  child(name: string, message?: string): JsonFields | undefined {
    const members = this.object(name, message);
    return members && this.within(name, members);
  }

  /** Returns a reader for an object in a list; `null` counts as one without members. */
  item(name: string, index: number): JsonFields | undefined {
    const list = this.value(name) as readonly unknown[];
    const value = list[index] ?? NO_MEMBERS;
    if (isJsonObject(value)) return new JsonFields(value, this.#rules, this, name, index);
    this.reportType(`${name}.${index}`, "object", value);
    return undefined;
  }

  /** Returns a reader for an object in place of a member. */
  within(name: string, members: JsonObject): JsonFields {
    return new JsonFields(members, this.#rules, this, name);
  }

  /** Reports that the value of a member does not have the expected type. */
  reportType(name: string, expected: string, value: unknown): undefined {
    const path = this.path(name);
    this.#rules.report(path, this.#rules.wrongType(expected, { path, value }));
  }

  #wrongType(name: string, expected: string, message: string | undefined): undefined {
    const value = this.value(name);
    if (value === undefined) return;
    if (message === undefined) this.reportType(name, expected, value);
    else this.report(name, message);
  }
}
