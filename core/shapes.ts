/**
 * Parts of JSON shapes with descriptions, which appear in OpenAPI, the reference and the TypeScript
 * types.
 */
import type { TBoolean, TInteger, TLiteral, TSchema, TString, TUnion } from "@sinclair/typebox";
import { Type } from "./shape_type.ts";

/** A text. */
export function text(description: string): TString {
  return Type.String({ description });
}

/** A whole number. */
export function whole(description: string): TInteger {
  return Type.Integer({ description });
}

/** True or false. */
export function flag(description: string): TBoolean {
  return Type.Boolean({ description });
}

/** One of these words. */
export function words<W extends string>(
  list: readonly W[],
  description: string,
): TUnion<TLiteral<W>[]> {
  return Type.Union(list.map((word) => Type.Literal(word)), { description });
}

/** The shape with a description for this place, which OpenAPI puts beside the reference. */
export function described<S extends TSchema>(shape: S, about: string): S {
  return shape.$id === undefined ? { ...shape, description: about } : { ...shape, about };
}
