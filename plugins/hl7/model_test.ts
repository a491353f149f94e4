import type { Static } from "@sinclair/typebox";
import { assertEquals } from "@std/assert";
import type * as model from "./model.ts";
import {
  type AckShape,
  type BatchShape,
  type ComponentShape,
  type FieldShape,
  type HeaderShape,
  Hl7MessageShape,
  type IssueShape,
  type RepetitionShape,
  type SegmentShape,
  type SeparatorsShape,
} from "./model.ts";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shapes of hl7 describe the documented types", () => {
  // These lines do not compile when a shape and its type drift apart.
  const same: [
    Same<Static<typeof HeaderShape>, model.Header>,
    Same<Static<typeof SeparatorsShape>, model.Separators>,
    Same<Static<typeof ComponentShape>, model.Component>,
    Same<Static<typeof RepetitionShape>, model.Repetition>,
    Same<Static<typeof FieldShape>, model.Field>,
    Same<Static<typeof SegmentShape>, model.Segment>,
    Same<Static<typeof IssueShape>, model.Issue>,
    Same<Static<typeof BatchShape>, model.Batch>,
    Same<Static<typeof AckShape>, model.Ack>,
    Same<Static<typeof Hl7MessageShape>, model.Hl7Message>,
  ] = [true, true, true, true, true, true, true, true, true, true];
  assertEquals(new Set(same), new Set([true]));
  assertEquals(Hl7MessageShape.$id, "hl7.Message");
});
