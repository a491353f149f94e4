/** Changes of the tree as instances send them to one another. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { KeptError } from "../../../core/persist/state.ts";
import { Type } from "../../../core/shape_type.ts";
import type { NodeRow } from "./node.ts";
import type { PendingRow } from "./pending.ts";

const closed = <P extends Record<string, TSchema>>(members: P) =>
  Type.Object(members, { additionalProperties: false });
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Size = Type.Integer({ minimum: 0 });
const Blob = Type.String({ pattern: "^[0-9A-Za-z]*$" });

const Row = closed({
  id: Id,
  parent: Id,
  name: Type.String(),
  dir: Type.Boolean(),
  mtimeMs: Type.Number(),
  mode: Type.Optional(Type.Integer()),
  provider: Type.String(),
  size: Size,
  contentType: Type.String(),
  blob: Blob,
});

const Promised = closed({
  id: Id,
  parent: Type.Integer({ minimum: 0 }),
  name: Type.String(),
  created: Type.Boolean(),
  unstable: Type.Boolean(),
  mtimeMs: Type.Number(),
  mode: Type.Optional(Type.Integer()),
  size: Size,
  contentType: Type.String(),
  blob: Blob,
});

const Step = Type.Union([
  closed({ kind: Type.Literal("tree"), instance: Type.String({ pattern: "^[0-9a-f]{16}$" }) }),
  closed({ kind: Type.Literal("writer"), term: Type.String() }),
  closed({ kind: Type.Literal("ids"), last: Id }),
  closed({ kind: Type.Literal("put"), row: Row }),
  closed({ kind: Type.Literal("drop"), id: Id }),
  closed({ kind: Type.Literal("promise"), row: Promised }),
  closed({ kind: Type.Literal("keep"), id: Id }),
]);

/** A change of the stored tree. */
export type TreeStep =
  /** The first step, which identifies the tree. */
  | { readonly kind: "tree"; readonly instance: string }
  /** An instance begins to write; what earlier writers have not stored by now is void. */
  | { readonly kind: "writer"; readonly term: string }
  /** Ids up to this one were given before. */
  | { readonly kind: "ids"; readonly last: number }
  | { readonly kind: "put"; readonly row: NodeRow }
  | { readonly kind: "drop"; readonly id: number }
  /** A file that a client was promised but that is not in the tree. */
  | { readonly kind: "promise"; readonly row: PendingRow }
  | { readonly kind: "keep"; readonly id: number };

/** Reads a step; its source is not trusted. Throws `KeptError`. */
export function readStep(value: unknown): TreeStep {
  if (!Value.Check(Step, value)) {
    const problem = Value.Errors(Step, value).First()?.message;
    throw new KeptError(`a change of the file tree cannot be understood: ${problem}`);
  }
  if (value.kind === "put") return { kind: "put", row: { mode: undefined, ...value.row } };
  if (value.kind === "promise") return { kind: "promise", row: { mode: undefined, ...value.row } };
  return value;
}
