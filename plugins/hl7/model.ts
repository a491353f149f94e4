import { Type } from "@sinclair/typebox";
import type { AckCode } from "./codec/ack.ts";
import type { Issue } from "./codec/frame_content.ts";
import type { Header } from "./codec/header.ts";
import type { Segment } from "./codec/segment.ts";
import type { Separators } from "./codec/separators.ts";

export type { AckCode } from "./codec/ack.ts";
export type { Issue } from "./codec/frame_content.ts";
export type { Header } from "./codec/header.ts";
export type { Component, Field, Repetition, Segment } from "./codec/segment.ts";
export type { Separators } from "./codec/separators.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));

/** JSON shape of `Header`. */
export const HeaderShape = Type.Object({
  code: text("MSH-9.1, such as ADT"),
  trigger_event: text("MSH-9.2, such as A01"),
  structure: text("MSH-9.3, such as ADT_A01"),
  control_id: text("MSH-10, or field 11 of a batch header"),
  processing_id: text("MSH-11: P production, T training, D debugging"),
  version: text("MSH-12"),
  timestamp: text("MSH-7, as sent"),
  sending_application: text("MSH-3"),
  sending_facility: text("MSH-4"),
  receiving_application: text("MSH-5"),
  receiving_facility: text("MSH-6"),
}, { $id: "hl7.Header", description: "The first component of each field, decoded" });

const separator = Type.String({ description: "One character; empty when it is not declared" });

/** JSON shape of `Separators`. */
export const SeparatorsShape = Type.Object({
  field: separator,
  component: separator,
  repetition: separator,
  escape: separator,
  subcomponent: separator,
}, { $id: "hl7.Separators" });

/** JSON shape of `Component`. */
export const ComponentShape = Type.Object({
  value: Type.String({ description: "With its escape sequences undone" }),
  subcomponents: Type.Optional(Type.Array(Type.String())),
}, { $id: "hl7.Component" });

/** JSON shape of `Repetition`. */
export const RepetitionShape = Type.Object({
  value: Type.String({ description: "As sent" }),
  components: Type.Array(ComponentShape),
}, { $id: "hl7.Repetition" });

/** JSON shape of `Field`. */
export const FieldShape = Type.Object({
  position: Type.Integer({ description: "As the standard counts: MSH-1 is the field separator" }),
  value: Type.String({ description: "As sent" }),
  repetitions: Type.Optional(Type.Array(RepetitionShape)),
}, { $id: "hl7.Field" });

/** JSON shape of `Segment`. */
export const SegmentShape = Type.Object({
  id: Type.String({ description: "Name, such as PID" }),
  index: Type.Integer({ description: "Place in the message, from 1" }),
  occurrence: Type.Integer({ description: "Place among those of the same name, from 1" }),
  fields: Type.Array(FieldShape),
}, { $id: "hl7.Segment" });

/** JSON shape of `Issue`. */
export const IssueShape = Type.Object({
  code: Type.String(),
  detail: Type.String(),
  severity: Type.Union([Type.Literal("error"), Type.Literal("warning")]),
}, { $id: "hl7.Issue" });

/** JSON shape of `Batch`. */
export const BatchShape = Type.Object({
  kind: Type.Union([Type.Literal("FHS"), Type.Literal("BHS")]),
  index: Type.Integer({ description: "Place of the message in its frame, from 0" }),
  count: Type.Integer({ description: "Messages in the frame" }),
  control_id: text("Field 11 of the batch header"),
}, { $id: "hl7.Batch" });

/** JSON shape of `Ack`. */
export const AckShape = Type.Object({
  sent: Type.Boolean(),
  mode: Type.Union([Type.Literal("original"), Type.Literal("enhanced")]),
  code: Type.Optional(Type.Union([
    Type.Literal("AA"),
    Type.Literal("AE"),
    Type.Literal("AR"),
    Type.Literal("CA"),
    Type.Literal("CE"),
    Type.Literal("CR"),
  ])),
  control_id: text("Its own MSH-10"),
  text: text("The acknowledgement, without its frame"),
}, { $id: "hl7.Ack" });

/** JSON shape of `Hl7Message`. */
export const Hl7MessageShape = Type.Object({
  header: HeaderShape,
  separators: SeparatorsShape,
  segments: Type.Optional(Type.Array(SegmentShape)),
  issues: Type.Optional(Type.Array(IssueShape)),
  charset: text("MSH-18 as sent"),
  encoding: Type.String({ description: "What the bytes were read as" }),
  size: Type.Integer({ description: "Bytes of the frame" }),
  patient: Type.Optional(Type.Object({
    id: text("First component of PID-3, or of PID-2"),
    name: text("First repetition of PID-5, as sent"),
  })),
  batch: Type.Optional(BatchShape),
  ack: AckShape,
}, { $id: "hl7.Message" });

/** Where a message stands in the batch it came in. */
export interface Batch {
  /** The innermost header around it. */
  readonly kind: "FHS" | "BHS";
  /** Place of the message in its frame, from 0. */
  readonly index: number;
  /** Messages in the frame. */
  readonly count: number;
  /** Field 11 of the batch header. */
  readonly control_id?: string;
}

/** The answer to a message. */
export interface Ack {
  /** False when none was wanted, or when nobody was left to take it. */
  readonly sent: boolean;
  /** Which rules decided: enhanced when MSH-15 or MSH-16 has a value. */
  readonly mode: "original" | "enhanced";
  /** MSA-1. */
  readonly code?: AckCode;
  /** Its own MSH-10. */
  readonly control_id?: string;
  /** The acknowledgement, without its frame. */
  readonly text?: string;
}

/** One message. Empty optional properties are absent. */
export interface Hl7Message {
  /** What MSH says; of a batch without messages, what FHS or BHS says. */
  readonly header: Header;
  /** The message's own. */
  readonly separators: Separators;
  /** In order. */
  readonly segments?: Segment[];
  /** What is wrong with it. */
  readonly issues?: Issue[];
  /** MSH-18 as sent. */
  readonly charset?: string;
  /** What the bytes were read as. */
  readonly encoding: string;
  /** Bytes of the frame. */
  readonly size: number;
  /** Of the first PID segment. */
  readonly patient?: { readonly id?: string; readonly name?: string };
  /** Present when it came in a batch or file. */
  readonly batch?: Batch;
  /** What it was answered with. */
  readonly ack: Ack;
}
