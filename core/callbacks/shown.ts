import { compact } from "../compact.ts";
import type { OptionSet } from "../options/spec.ts";
import type { CallOffer } from "./model.ts";

/** Returns parameters as the API shows them. */
export function toShownParams(params: OptionSet): CallOffer["params"] {
  return Object.fromEntries(
    Object.entries(params).map(([key, { about, schema, fallback }]) => [key, {
      about,
      schema,
      ...compact({ default: fallback }),
    }]),
  );
}
