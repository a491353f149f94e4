/**
 * Parameters of a method: in the query, in a form, in JSON or in a multipart form, together
 * (https://core.telegram.org/bots/api#making-requests). Structured ones are JSON texts, or parts of the JSON.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm } from "../../../core/codec/form.ts";
import { decodeText, isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { memberSpans, scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { decodeFormFiles, type FormFile } from "../../../core/http/form_data.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { fail } from "./refusals.ts";

/** Parameters of one call. */
export class Params {
  readonly #values: ReadonlyMap<string, string>;
  readonly files: readonly FormFile[];

  constructor(values: ReadonlyMap<string, string>, files: readonly FormFile[]) {
    this.#values = values;
    this.files = files;
  }

  /** Returns a scalar as text, or a structured value as JSON text; empty if absent. */
  text(name: string): string {
    return this.#values.get(name) ?? "";
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Names in the order sent. */
  names(): readonly string[] {
    return [...this.#values.keys()];
  }

  flag(name: string): boolean {
    return ["true", "1", "yes", "y", "t"].includes(this.text(name).toLowerCase());
  }

  integer(name: string, standard = 0): number {
    const text = this.text(name);
    return /^-?\d{1,15}$/.test(text) ? Number(text) : standard;
  }

  /** Returns a structured parameter; `undefined` if absent. `what` is the vendor's name for it. */
  json(name: string, what: string): unknown {
    const text = this.text(name).trim();
    if (text === "") return undefined;
    try {
      return parseJson(text);
    } catch (error) {
      if (error instanceof WireError) return fail(`can't parse ${what} JSON object`);
      throw error;
    }
  }

  /** Returns the file of a parameter: the part of that name, or the one that `attach://` names. */
  file(name: string): FormFile | undefined {
    const value = this.text(name);
    const wanted = value.startsWith("attach://") ? value.slice("attach://".length) : name;
    return this.files.find((file) => file.name === wanted);
  }
}

/** Parses the parameters of a call. Throws `Refused`. */
export async function readParams({ query, body, headers }: IngressCall): Promise<Params> {
  const values = new Map<string, string>(query);
  const contentType = headers.get("content-type") ?? "";
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (body.length === 0) return new Params(values, []);
  try {
    if (type === "multipart/form-data") {
      const { fields, files } = await decodeFormFiles(body, contentType);
      for (const [name, value] of fields.pairs) values.set(name, value);
      return new Params(values, files);
    }
    if (type === "application/json") addJson(decodeText(body, contentType), values);
    else for (const [name, value] of decodeForm(body).pairs) values.set(name, value);
    return new Params(values, []);
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) {
      return fail("can't parse request");
    }
    throw error;
  }
}

function addJson(text: string, values: Map<string, string>): void {
  if (!isJsonObject(parseJson(text))) return fail("can't parse JSON object");
  for (const [name, span] of memberSpans(text, scanJson(text))) {
    const value = sliceJson(text, span);
    if (value !== "null") values.set(name, value.startsWith('"') ? JSON.parse(value) : value);
  }
}
