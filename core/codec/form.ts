/**
 * `application/x-www-form-urlencoded` bodies (WHATWG URL Standard, section 5.1): `name=value` pairs joined by `&`, `+`
 * for a space, `%hh` for a byte of UTF-8. Names may repeat; order is kept.
 *
 * @module
 */
import { WireError } from "../bytes/decoder.ts";

/** Maximum number of pairs of a body; real ones have a few dozen. */
const MAX_FIELDS = 10_000;

/** The fields of a form, in the order received. */
export interface FormFields {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** Returns the first value of a name. */
  first(name: string): string | undefined;
  /** Returns every value of a name. */
  all(name: string): readonly string[];
}

/**
 * Decodes a form body. Bytes that are not UTF-8 become U+FFFD and a stray `%` stays as it is, as in every browser. Throws
 * `WireError` "limit" for more than 10 000 fields.
 */
export function decodeForm(body: Uint8Array): FormFields {
  let separators = 0;
  for (const byte of body) if (byte === 0x26 && ++separators >= MAX_FIELDS) throw tooMany();
  // Before a first name that begins with "?", which the platform's parser would drop.
  return formFields([...new URLSearchParams(`&${new TextDecoder().decode(body)}`)]);
}

/** Wraps fields from another source, such as the parts of a multipart body. */
export function formFields(pairs: FormFields["pairs"]): FormFields {
  return {
    pairs,
    first: (name) => pairs.find(([key]) => key === name)?.[1],
    all: (name) => pairs.filter(([key]) => key === name).map(([, value]) => value),
  };
}

function tooMany(): WireError {
  return new WireError("limit", `Cannot read the form: it has more than ${MAX_FIELDS} fields`);
}
