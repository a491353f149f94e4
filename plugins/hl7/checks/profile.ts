/**
 * A profile: what an application requires of messages besides HL7, as TOML.
 *
 * ```toml
 * [messages."ADT^A01"]           # or "ADT" for every trigger event
 * segments = ["NK1", "ZPI"]
 *
 * [segments.PID]
 * required = [7, 8]
 *
 * [fields."PID-8"]
 * values = ["F", "M", "X"]       # of the first component
 *
 * [fields."PID-3"]
 * max_length = 20
 * ```
 */
import { ConfigError } from "../../../core/errors.ts";
import { didYouMean } from "../../../core/options/suggest.ts";
import { parseToml } from "../../../core/options/toml.ts";
import type { PluginState } from "../../../core/plugin.ts";
import { readIfThere } from "../../../core/tls/private_file.ts";

/** Requirements of one field. */
export interface FieldProfile {
  /** Values of its first component. */
  readonly values?: readonly string[];
  /** Characters of the whole field. */
  readonly max_length?: number;
}

/** Requirements of an application. */
export interface Profile {
  /** Segments by `ADT^A01` or `ADT`. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  /** Positions of fields by segment. */
  readonly segments: ReadonlyMap<string, readonly number[]>;
  /** By `PID-8`. */
  readonly fields: ReadonlyMap<string, FieldProfile>;
}

/** State of the plugin, for its checks. */
export interface ProfiledState extends PluginState {
  /** Absent without the setting. */
  readonly profile?: Profile;
}

/** Parses a profile. Throws `ConfigError` with the place of the first fault. */
export function parseProfile(text: string, file: string): Profile {
  const at = new Place(file);
  const top = at.table(parseToml(text, file), "", ["messages", "segments", "fields"]);
  return {
    messages: at.entries(top.messages, "messages", /^[A-Z][A-Z0-9]{2}(?:\^[A-Z][A-Z0-9]{2})?$/, {
      example: "ADT^A01",
      read: (value, path) =>
        at.list(at.table(value, path, ["segments"]).segments, `${path}.segments`, isSegment),
    }),
    segments: at.entries(top.segments, "segments", /^[A-Z][A-Z0-9]{2}$/, {
      example: "PID",
      read: (value, path) =>
        at.list(at.table(value, path, ["required"]).required, `${path}.required`, isPosition),
    }),
    fields: at.entries(top.fields, "fields", /^[A-Z][A-Z0-9]{2}-[1-9]\d{0,2}$/, {
      example: "PID-8",
      read(value, path) {
        const { values, max_length } = at.table(value, path, ["values", "max_length"]);
        return {
          ...(values === undefined ? {} : { values: at.list(values, `${path}.values`, isText) }),
          ...(max_length === undefined ? {} : {
            max_length: at.one(max_length, `${path}.max_length`, isPosition),
          }),
        };
      },
    }),
  };
}

/** Reads the file of the setting. Throws `ConfigError` for one that cannot be used. */
export async function readProfile(file: string): Promise<Profile> {
  const text = await readIfThere(file);
  if (text === undefined) {
    throw new ConfigError(`Cannot read the profile "${file}": the file does not exist`);
  }
  return parseProfile(text, file);
}

/** A check of a value, with what it expects. */
interface Kind<T> {
  readonly expected: string;
  is(value: unknown): value is T;
}

const isText: Kind<string> = {
  expected: "text in quotes",
  is: (value) => typeof value === "string",
};
const isSegment: Kind<string> = {
  expected: 'the name of a segment, such as "ZPI"',
  is: (value): value is string => typeof value === "string" && /^[A-Z][A-Z0-9]{2}$/.test(value),
};
const isPosition: Kind<number> = {
  expected: "an integer from 1 to 99999",
  is: (value): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 99_999,
};

/** Reads tables of a file; faults name the place. */
class Place {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  table<const K extends string>(
    value: unknown,
    path: string,
    keys: readonly K[],
  ): Partial<Record<K, unknown>> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.#fault(path, `expected a table, written [${path}]`);
    }
    const unknown = Object.keys(value).find((key) => !keys.includes(key as K));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, keys, { what: "keys" });
      throw this.#fault(path === "" ? unknown : `${path}.${unknown}`, `unknown key; ${hint}`);
    }
    return value;
  }

  entries<T>(
    value: unknown,
    path: string,
    name: RegExp,
    { example, read }: {
      readonly example: string;
      readonly read: (value: unknown, path: string) => T;
    },
  ): ReadonlyMap<string, T> {
    if (value === undefined) return new Map();
    const entries = Object.entries(this.table(value, path, Object.keys(Object(value))));
    return new Map(entries.map(([key, inner]) => {
      const inside = `${path}."${key}"`;
      if (!name.test(key)) throw this.#fault(inside, `expected a name such as "${example}"`);
      return [key, read(inner, inside)];
    }));
  }

  list<T>(value: unknown, path: string, kind: Kind<T>): readonly T[] {
    if (!Array.isArray(value)) throw this.#fault(path, "expected a list");
    return value.map((item) => this.one(item, path, kind));
  }

  one<T>(value: unknown, path: string, { expected, is }: Kind<T>): T {
    if (is(value)) return value;
    throw this.#fault(path, `expected ${expected}`);
  }

  #fault(path: string, detail: string): ConfigError {
    return new ConfigError(`Cannot use ${path} of the profile "${this.#file}": ${detail}`);
  }
}
