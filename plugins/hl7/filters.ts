/** Filters for HL7 messages. */
import { ApiError } from "../../core/errors.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { type EventFilters, filtersFor, type Param } from "../../core/http/route.ts";
import { Type } from "../../core/shape_type.ts";
import { ACK_CODES } from "./codec/ack.ts";
import { parsePath, type Path } from "./codec/path.ts";
import { segmentsNamed, valuesOf } from "./message.ts";
import type { Hl7Message } from "./model.ts";
import type { Hl7Event } from "./views.ts";

/** Declares a place in a message, such as `PID-3.1`. */
export function place(about: string): Param<Path | undefined> {
  return {
    about,
    schema: Type.String({ examples: ["PID-3.1", "OBX[2]-5", "PID-3[2].4.1"] }),
    read(given, name) {
      if (given === null) return undefined;
      const path = parsePath(given);
      if (path !== undefined) return path;
      throw new ApiError(
        400,
        `Cannot read ${name} "${given}": expected a place such as PID-3, PID-3.1, OBX[2]-5 or PID-3[2].4.1`,
      );
    },
  };
}

/** Conditions on a message; all must hold. Text is compared whole, in any case. */
export interface Hl7Filter {
  /** `ADT^A01^ADT_A01`, a part of it, or `ADT^A01`. */
  readonly message_type?: string | undefined;
  /** Such as `A01`. */
  readonly trigger_event?: string | undefined;
  /** MSH-10. */
  readonly control_id?: string | undefined;
  /** First component of MSH-3. */
  readonly sending_application?: string | undefined;
  /** First component of MSH-4. */
  readonly sending_facility?: string | undefined;
  /** First component of MSH-5. */
  readonly receiving_application?: string | undefined;
  /** First component of MSH-6. */
  readonly receiving_facility?: string | undefined;
  /** MSH-12, such as `2.5.1`. */
  readonly version?: string | undefined;
  /** First component of any repetition of PID-3. */
  readonly patient_id?: string | undefined;
  /** Name of a segment in the message. */
  readonly segment?: string | undefined;
  /** Code of the acknowledgement sent, or `none`. */
  readonly ack?: string | undefined;
  /** Whether the message has problems. */
  readonly issue?: boolean | undefined;
  /** A place that has a value, such as `PID-3.1`. */
  readonly path?: string | undefined;
  /** The value at that place. */
  readonly value?: string | undefined;
}

/** The filter with a parsed place. */
type ReadFilter = Omit<Hl7Filter, "path"> & { readonly path?: Path | undefined };

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<Hl7Event>()({
  query: {
    message_type: text("ADT^A01^ADT_A01 as sent, ADT^A01, or one of the three parts"),
    trigger_event: text("Such as A01"),
    control_id: text("MSH-10"),
    sending_application: text("First component of MSH-3"),
    sending_facility: text("First component of MSH-4"),
    receiving_application: text("First component of MSH-5"),
    receiving_facility: text("First component of MSH-6"),
    version: text("MSH-12, such as 2.5.1"),
    patient_id: text("First component of any repetition of PID-3"),
    segment: text("Only messages with this segment, such as OBX"),
    ack: word("Only messages with this acknowledgement", [...ACK_CODES, "none"]),
    issue: boolean("Only messages with, or only messages without, recorded problems"),
    path: place("Only messages with a value at this place"),
    value: text("With path: only messages with exactly this value there, ignoring case"),
  },
  select(filter) {
    if (filter.value !== undefined && filter.path === undefined) {
      throw new ApiError(400, 'Cannot use value without path: add a path, such as "path=PID-3.1"');
    }
    return {
      matches: ({ payload }) => matchesHl7(payload, filter),
      // Only these parse segments.
      takesLong: [filter.segment, filter.path, filter.patient_id].some((one) => one !== undefined),
    };
  },
});

const HEADER_FILTERS = [
  "trigger_event",
  "control_id",
  "sending_application",
  "sending_facility",
  "receiving_application",
  "receiving_facility",
  "version",
] as const;

/** Returns whether a message meets the conditions. */
function matchesHl7(message: Hl7Message, filter: ReadFilter): boolean {
  const { header, patient, ack, issues = [] } = message;
  return HEADER_FILTERS.every((name) => equals(header[name], filter[name])) &&
    equals(ack.code ?? "none", filter.ack) &&
    (filter.issue === undefined || filter.issue === issues.length > 0) &&
    hasType(message, filter.message_type) &&
    (equals(patient?.id, filter.patient_id) || hasPatient(message, filter.patient_id)) &&
    hasContent(message, filter);
}

function hasType(
  { header: { code = "", trigger_event = "", structure = "" } }: Hl7Message,
  type?: string,
): boolean {
  const event = `${code}^${trigger_event}`;
  return type === undefined ||
    [code, trigger_event, structure, event, `${event}^${structure}`]
      .some((name) => equals(name, type));
}

/** PID-3, whose repetitions hold the patient's number at each place. */
const PATIENT_ID: Path = { segment: "PID", field: 3, component: 1 };

/** Parses only the segments with the patient. */
function hasPatient(message: Hl7Message, id?: string): boolean {
  return valuesOf(message, PATIENT_ID).some(({ value }) => equals(value, id));
}

/** Checked last, because it parses segments. */
function hasContent(message: Hl7Message, { segment, path, value }: ReadFilter): boolean {
  if (segment !== undefined && !hasSegment(message, segment)) return false;
  return path === undefined || valuesOf(message, path).some((found) => equals(found.value, value));
}

function hasSegment(message: Hl7Message, name: string): boolean {
  return segmentsNamed(message, name)[Symbol.iterator]().next().done !== true;
}

function equals(text: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || (text ?? "").toLowerCase() === wanted.toLowerCase();
}
