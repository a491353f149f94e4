import { assertEquals } from "@std/assert";
import { Type } from "@sinclair/typebox";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";
import { pluginFiles } from "../scaffold/plugin.ts";
import { modelFile } from "./models.ts";

const KindShape = words(["a", "b"], "What it does");
const PartShape = Type.Object({ ok: flag("Whether it is") }, {
  $id: "x.Part",
  description: "A part",
});
const LONG = ["one_very_long_word", "another_very_long_word", "a_third_very_long_word", "the_last"];
const WholeShape = Type.Object({
  kind: described(KindShape, "What this one does"),
  size: whole("In bytes"),
  blob: Type.Optional(described(BlobRefShape, "Where its bytes are")),
  parts: Type.Optional(Type.Array(PartShape, { description: "In order" })),
  first: described(PartShape, "The first of them"),
  headers: Type.Record(Type.String(), Type.Array(Type.String()), { description: "By name" }),
  place: Type.Object({ from: text(""), to: Type.Optional(text("")) }, { description: "Where" }),
  word: words(LONG, "One of few"),
  json: Type.Optional(Type.Unknown({ description: "Parsed" })),
}, { $id: "x.Whole", description: "All that there can be" });

Deno.test("types carry the descriptions of their shapes, and refer to others by name", () => {
  const made = modelFile({ WholeShape, PartShape, KindShape, OTHER: 1 });
  assertEquals(
    made,
    `// Made from schema.ts by \`deno task docs\`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** What it does. */
export type Kind = "a" | "b";

/** A part. */
export interface Part {
  /** Whether it is. */
  readonly ok: boolean;
}

/** All that there can be. */
export interface Whole {
  /** What this one does. */
  readonly kind: Kind;
  /** In bytes. */
  readonly size: number;
  /** Where its bytes are. */
  readonly blob?: BlobRef;
  /** In order. */
  readonly parts?: Part[];
  /** The first of them. */
  readonly first: Part;
  /** By name. */
  readonly headers: Record<string, string[]>;
  /** Where. */
  readonly place: { readonly from: string; readonly to?: string };
  /** One of few. */
  readonly word:
    | "one_very_long_word"
    | "another_very_long_word"
    | "a_third_very_long_word"
    | "the_last";
  /** Parsed. */
  readonly json?: unknown;
}
`,
  );
});

Deno.test("the model of a new plugin matches its shape", () => {
  const shape = Type.Object({
    from: text("Sender"),
    to: text("Recipient"),
    text: text("Text of the message"),
  }, {
    $id: "fax.Message",
    description: "A captured fax message of any provider",
  });
  assertEquals(
    pluginFiles("fax").get("plugins/fax/model.ts"),
    modelFile({ FaxMessageShape: shape }),
  );
});
