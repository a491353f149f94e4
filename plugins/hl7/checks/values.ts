import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { Hl7Message, Segment } from "../model.ts";
import { placeOf } from "./place.ts";
import type { Hl7Subject } from "./subject.ts";
import { TABLES, TIMES, VALUE_TYPES } from "./rules.ts";

const DEFINITIONS = "https://hl7-definition.caristix.com/v2/HL7v2.5.1";
/** YYYY[MM[DD[HH[MM[SS[.S[S[S[S]]]]]]]]][+/-ZZZZ], and the value that deletes. */
const TIME =
  /^(?:\d{4}(?:(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])(?:[0-5]\d(?:[0-5]\d(?:\.\d{1,4})?)?)?)?)?)?(?:[+-]\d{4})?|"")$/;

/** Types and tables of values. */
export const valuesTopic: CheckTopic<Hl7Subject> = {
  checks: [
    {
      id: "hl7.time",
      level: "error",
      about: "A date or time is not in the form YYYY[MM[DD[HH[MM[SS]]]]][+/-ZZZZ]",
      source: `${DEFINITIONS}/DataTypes/DTM`,
    },
    {
      id: "hl7.table",
      level: "warning",
      about: "A value is not in the table of its field",
      source: `${DEFINITIONS}/Tables`,
    },
    {
      id: "hl7.observation",
      level: "error",
      about: "The value of an observation (OBX-5) is not of the type in OBX-2, or has no type",
      source: `${DEFINITIONS}/Segments/OBX`,
    },
  ],
  *find({ message, segments }) {
    for (const segment of segments) {
      yield undefined;
      yield* times(segment, message);
      yield* tables(segment, message);
      if (segment.id === "OBX") yield* observation(segment, message);
    }
  },
};

function* times(segment: Segment, message: Hl7Message): Generator<Found> {
  const { id, fields } = segment;
  for (const position of Object.hasOwn(TIMES, id) ? TIMES[id]! : []) {
    const value = fields[position - 1]?.repetitions?.[0]?.components[0]?.value ?? "";
    if (value === "" || TIME.test(value)) continue;
    yield {
      id: "hl7.time",
      message: `${JSON.stringify(value.slice(0, 50))} is not a date or time`,
      where: () => placeOf(message, { segment, position }),
    };
  }
}

function* tables(segment: Segment, message: Hl7Message): Generator<Found> {
  const { id, fields } = segment;
  for (const field of fields.slice(0, 20)) {
    const name = `${id}-${field.position}`;
    if (!Object.hasOwn(TABLES, name)) continue;
    const { table, values } = TABLES[name]!;
    const value = field.repetitions?.[0]?.components[0]?.value ?? "";
    if (value === "" || value === '""' || values.split(" ").includes(value)) continue;
    yield {
      id: "hl7.table",
      message: `${JSON.stringify(value.slice(0, 50))} is not in table ${table}: ${values}`,
      where: () => placeOf(message, { segment, position: field.position }),
      source: `${DEFINITIONS}/Tables/${table}`,
    };
  }
}

function* observation(segment: Segment, message: Hl7Message): Generator<Found> {
  const { fields } = segment;
  const type = fields[1]?.value ?? "";
  const value = fields[4]?.repetitions?.[0]?.components[0]?.value ?? "";
  const where = (position: number) => () => placeOf(message, { segment, position });
  if (value !== "" && type === "") {
    yield {
      id: "hl7.observation",
      message: "OBX-5 has a value, but OBX-2 has no type",
      where: where(2),
    };
  } else if (type !== "" && !VALUE_TYPES.has(type)) {
    yield {
      id: "hl7.observation",
      message: `${JSON.stringify(type)} is not a type of table 0125`,
      where: where(2),
    };
  }
  const shown = JSON.stringify(value.slice(0, 50));
  if (type === "NM" && value !== "" && !/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value.trim())) {
    yield { id: "hl7.observation", message: `${shown} is not a number (NM)`, where: where(5) };
  }
  if (["DT", "TS", "DTM"].includes(type) && value !== "" && !TIME.test(value)) {
    yield { id: "hl7.observation", message: `${shown} is not of type ${type}`, where: where(5) };
  }
}
