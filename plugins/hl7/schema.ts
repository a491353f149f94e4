/** JSON shapes of captured messages. `deno task docs` generates `model.ts` from them. */
import { Type } from "../../core/shape_type.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";
import { ACK_CODES } from "./codec/ack.ts";

export const AckCodeShape = words(ACK_CODES, "A code of MSA-1 (table 0008)");

export const HeaderShape = Type.Object({
  code: Type.Optional(text("MSH-9.1, such as `ADT`")),
  trigger_event: Type.Optional(text("MSH-9.2, such as `A01`")),
  structure: Type.Optional(text("MSH-9.3, such as `ADT_A01`")),
  control_id: Type.Optional(text("MSH-10, or field 11 of a batch header")),
  processing_id: Type.Optional(text("MSH-11: `P` production, `T` training, `D` debugging")),
  version: Type.Optional(text("MSH-12")),
  timestamp: Type.Optional(text("MSH-7, as sent")),
  sending_application: Type.Optional(text("MSH-3")),
  sending_facility: Type.Optional(text("MSH-4")),
  receiving_application: Type.Optional(text("MSH-5")),
  receiving_facility: Type.Optional(text("MSH-6")),
}, {
  $id: "hl7.Header",
  description: "Fields of a header: the first component of each, decoded; absent when empty",
});

export const SeparatorsShape = Type.Object({
  field: text("Between fields"),
  component: text("Between components of a field"),
  repetition: text("Between repetitions of a field"),
  escape: text("Around escape sequences"),
  subcomponent: text("Between subcomponents of a component"),
}, {
  $id: "hl7.Separators",
  description:
    "Each a single character; empty when undeclared, or when its character was already in use",
});

export const ComponentShape = Type.Object({
  value: text("Decoded"),
  subcomponents: Type.Optional(
    Type.Array(Type.String(), { description: "Its subcomponents, if there is more than one" }),
  ),
}, { $id: "hl7.Component", description: "One component" });

export const RepetitionShape = Type.Object({
  value: text("As sent"),
  components: Type.Array(ComponentShape, { description: "In order" }),
}, { $id: "hl7.Repetition", description: "One repetition of a field" });

export const FieldShape = Type.Object({
  position: whole("As the standard counts: MSH-1 is the field separator itself"),
  value: text("As sent; empty when the field is"),
  repetitions: Type.Optional(
    Type.Array(RepetitionShape, {
      description: "In order; absent when the field is empty, and for the encoding characters",
    }),
  ),
}, { $id: "hl7.Field", description: "One field" });

export const SegmentShape = Type.Object({
  id: text("Its name, such as `PID`"),
  index: whole("Place in the message, from 1"),
  occurrence: whole("Place among those of the same name, from 1"),
  fields: Type.Array(FieldShape, { description: "In order" }),
}, { $id: "hl7.Segment", description: "One segment" });

export const IssueShape = Type.Object({
  code: text("Stable word"),
  detail: text("One sentence, for display"),
  severity: words(["error", "warning"], "`error` makes the acknowledgement negative"),
}, { $id: "hl7.Issue", description: "A problem with a message, which is stored nevertheless" });

export const BatchShape = Type.Object({
  kind: words(["FHS", "BHS"], "The innermost header around it"),
  index: whole("Place of the message in its frame, from 0"),
  count: whole("Messages in the frame"),
  control_id: Type.Optional(text("Field 11 of the batch header")),
}, { $id: "hl7.Batch", description: "Position of a message in its batch" });

export const AckShape = Type.Object({
  sent: flag("False if none was requested, or the peer had disconnected"),
  mode: words(
    ["original", "enhanced"],
    "Rules that applied: enhanced when MSH-15 or MSH-16 has a value",
  ),
  code: Type.Optional(described(AckCodeShape, "MSA-1")),
  control_id: Type.Optional(text("Its own MSH-10")),
  text: Type.Optional(text("The acknowledgement, without its frame")),
}, { $id: "hl7.Ack", description: "The answer to a message" });

export const Hl7MessageShape = Type.Object({
  header: described(
    HeaderShape,
    "MSH; of a batch without messages, FHS or BHS",
  ),
  separators: described(SeparatorsShape, "The message's own"),
  segments: Type.Optional(Type.Array(SegmentShape, { description: "In order" })),
  issues: Type.Optional(Type.Array(IssueShape, { description: "Problems" })),
  charset: Type.Optional(text("MSH-18 as sent")),
  encoding: text("Character set the bytes were decoded with"),
  size: whole("Bytes of the frame"),
  patient: Type.Optional(
    Type.Object({
      id: Type.Optional(text("First component of PID-3, or of PID-2")),
      name: Type.Optional(text("First repetition of PID-5, as sent")),
    }, { description: "Of the first PID segment" }),
  ),
  batch: Type.Optional(described(BatchShape, "Present if it arrived in a batch or file")),
  ack: described(AckShape, "The answer"),
}, { $id: "hl7.Message", description: "One message. Empty optional properties are absent" });
