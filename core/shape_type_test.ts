import { assertEquals } from "@std/assert";
import { Kind, OptionalKind, type TSchema, Type as TypeBox } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Type } from "./shape_type.ts";

/** The same shape, made by either; every function is used with options and without. */
function sample(make: typeof Type): readonly TSchema[] {
  const description = "About it";
  const list = make.Array(make.Integer({ minimum: 1 }), { description, maxItems: 3 });
  return [
    make.Object({ a: make.Optional(make.String()), b: list }, { $id: "x.Y", description }),
    make.Object({ a: make.Optional(make.Boolean({ description })) }, {
      additionalProperties: false,
    }),
    make.Object({}),
    make.Record(make.String(), make.Unknown({ description }), { description }),
    make.Record(make.String(), make.Array(make.Number({ maximum: 2 }))),
    make.Tuple([make.String({ pattern: "^a$" }), make.Null({ description })], { description }),
    make.Union([make.Literal("a"), make.Literal(1, { description })], { description }),
    make.Optional(make.Union([make.Null(), make.Number(), make.Boolean(), make.Unknown()])),
  ];
}

Deno.test("shapes are those that TypeBox makes, with its marks and the order of members", () => {
  const made = sample(Type);
  const expected = sample(TypeBox as unknown as typeof Type);
  assertEquals(made, expected);
  assertEquals(made.map((shape) => JSON.stringify(shape)), expected.map((s) => JSON.stringify(s)));
  assertEquals(made.map((shape) => shape[Kind]), expected.map((shape) => shape[Kind]));
  assertEquals(made.map((shape) => OptionalKind in shape), made.map((_, i) => i === 7));
});

Deno.test("TypeBox checks values against the shapes", () => {
  const [object] = sample(Type) as [TSchema];
  assertEquals(Value.Check(object, { a: "x", b: [1, 2] }), true);
  assertEquals(Value.Check(object, { b: [1] }), true);
  assertEquals(Value.Check(object, { a: "x" }), false);
  assertEquals(Value.Check(object, { b: [0] }), false);
});
