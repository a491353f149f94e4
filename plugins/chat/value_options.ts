/** Parameters of callbacks: what a user enters into the elements of a message. */
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import type { OptionSpec } from "../../core/options/spec.ts";

/** Values by the names of their elements. */
export type GivenValues = Readonly<Record<string, unknown>>;

const EXPECTED = 'expected an object such as {"action_id": "value"}';

/** Declares values by element. */
export function valuesByElement(about: string): OptionSpec<GivenValues> {
  return {
    kind: "table",
    about,
    fallback: {},
    schema: { type: "object" },
    parse() {
      throw new TypeError(EXPECTED);
    },
    check(value) {
      if (isJsonObject(value)) return value;
      throw new TypeError(EXPECTED);
    },
  };
}
