/**
 * Builds JSON shapes as TypeBox's `Type` does, with its types; TypeBox accepts them as its own. The package has some 250
 * files and is needed only to check values, so a start does not load it.
 */
import type {
  ArrayOptions,
  IntegerOptions,
  NumberOptions,
  ObjectOptions,
  SchemaOptions,
  StringOptions,
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TString,
  TTuple,
  TUnion,
  TUnknown,
} from "@sinclair/typebox";

/** By these, TypeBox knows the kind of a shape, and members that may be absent. */
const KIND = Symbol.for("TypeBox.Kind");
const OPTIONAL = Symbol.for("TypeBox.Optional");

function shape<S extends TSchema>(kind: string, own: object, options: SchemaOptions = {}): S {
  return { ...options, ...own, [KIND]: kind } as unknown as S;
}

/** The shapes that the program uses. */
export const Type = {
  Array<T extends TSchema>(items: T, options?: ArrayOptions): TArray<T> {
    return shape("Array", { type: "array", items }, options);
  },
  Boolean(options?: SchemaOptions): TBoolean {
    return shape("Boolean", { type: "boolean" }, options);
  },
  Integer(options?: IntegerOptions): TInteger {
    return shape("Integer", { type: "integer" }, options);
  },
  Literal<T extends TLiteralValue>(value: T, options?: SchemaOptions): TLiteral<T> {
    return shape("Literal", { const: value, type: typeof value }, options);
  },
  Null(options?: SchemaOptions): TNull {
    return shape("Null", { type: "null" }, options);
  },
  Number(options?: NumberOptions): TNumber {
    return shape("Number", { type: "number" }, options);
  },
  Object<T extends TProperties>(properties: T, options?: ObjectOptions): TObject<T> {
    const required = Object.entries(properties).filter(([, member]) => !(OPTIONAL in member))
      .map(([name]) => name);
    const own = required.length > 0 ? { type: "object", required } : { type: "object" };
    return shape("Object", { ...own, properties }, options);
  },
  Optional<T extends TSchema>(member: T): TOptional<T> {
    return { ...member, [OPTIONAL]: "Optional" } as unknown as TOptional<T>;
  },
  /** An object with any names. */
  Record<T extends TSchema>(
    _name: TString,
    value: T,
    options?: ObjectOptions,
  ): TRecord<TString, T> {
    return shape("Record", { type: "object", patternProperties: { "^(.*)$": value } }, options);
  },
  String(options?: StringOptions): TString {
    return shape("String", { type: "string" }, options);
  },
  Tuple<const T extends TSchema[]>(items: [...T], options?: SchemaOptions): TTuple<T> {
    const { length } = items;
    const own = {
      type: "array",
      items,
      additionalItems: false,
      minItems: length,
      maxItems: length,
    };
    return shape("Tuple", own, options);
  },
  Union<T extends TSchema[]>(anyOf: [...T], options?: SchemaOptions): TUnion<T> {
    return shape("Union", { anyOf }, options);
  },
  Unknown(options?: SchemaOptions): TUnknown {
    return shape("Unknown", {}, options);
  },
};
