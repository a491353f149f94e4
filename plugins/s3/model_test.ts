import type { Static } from "@sinclair/typebox";
import { assertEquals } from "@std/assert";
import { type S3Operation, S3OperationShape } from "./model.ts";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shape of an S3 operation describes the documented type", () => {
  // This line does not compile when shape and type drift apart.
  const same: Same<Static<typeof S3OperationShape>, S3Operation> = true;
  assertEquals(same, true);
  assertEquals(S3OperationShape.$id, "s3.Operation");
});
