import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { Segment } from "../model.ts";
import { headerOf, placeOf } from "./place.ts";
import type { Hl7Subject } from "./subject.ts";
import { REQUIRED_OF_MSH, REQUIRED_SEGMENTS } from "./rules.ts";
import { NEWEST, PUBLISHED, ruledVersion, structureOf, type VersionRules } from "./versions.ts";

const DEFINITIONS = "https://hl7-definition.caristix.com/v2";

/** Checks of required segments and fields. */
export const structureTopic: CheckTopic<Hl7Subject> = {
  checks: [
    {
      id: "hl7.version",
      level: "warning",
      about: "MSH-12 names a version of HL7 that does not exist",
      source: `${DEFINITIONS}/HL7v2.5.1/Tables/0104`,
    },
    {
      id: "hl7.structure",
      level: "warning",
      about: "MSH-9.3 does not name the structure of the trigger event in this version",
      source: `${DEFINITIONS}/HL7v2.5.1/Tables/0354`,
    },
    {
      id: "hl7.segment",
      level: "error",
      about:
        "A segment that the trigger event requires in the version of the message is missing; a warning if " +
        `${NEWEST} does not require it`,
      source: `${DEFINITIONS}/HL7v2.5.1/TriggerEvents`,
    },
    {
      id: "hl7.field",
      level: "error",
      about:
        "A field that its segment requires in the version of the message is empty; a warning if " +
        `${NEWEST} does not require it`,
      source: `${DEFINITIONS}/HL7v2.5.1/Segments`,
    },
    {
      id: "hl7.order",
      level: "error",
      about: "An observation (OBX) comes before the request (OBR) that it belongs to",
      source: `${DEFINITIONS}/HL7v2.5.1/TriggerEvents/ORU_R01`,
    },
    {
      id: "hl7.set_id",
      level: "warning",
      about: "The set ids of OBX do not count up from 1 within their group",
      source: `${DEFINITIONS}/HL7v2.5.1/Segments/OBX`,
    },
  ],
  *find(subject) {
    const { message: { header }, versions } = subject;
    const stated = header.version ?? "";
    if (stated !== "" && !PUBLISHED.has(stated)) {
      yield {
        id: "hl7.version",
        message: `${
          JSON.stringify(stated.slice(0, 50))
        } is not a version of HL7; checked as ${NEWEST}`,
        ...whereIs(subject, 12),
      };
    }
    const version = ruledVersion(stated, versions);
    const rules = versions.versions[version]!;
    const newest = versions.versions[NEWEST]!;
    yield* ofMessage(subject, { version, rules, newest });
    for (const segment of subject.segments) {
      yield undefined;
      yield* ofFields(segment, subject, { version, rules, newest });
    }
    yield* ofObservations(subject);
  },
};

/** Rules that apply to a message. */
interface Rules {
  readonly version: string;
  readonly rules: VersionRules;
  readonly newest: VersionRules;
}

function* ofMessage(
  subject: Hl7Subject,
  { version, rules, newest }: Rules,
): Generator<Found> {
  const { message: { header }, segments } = subject;
  const { code = "", trigger_event: event = "", structure: stated } = header;
  const structure = structureOf(code, event, rules);
  const source = `${DEFINITIONS}/HL7v${version}/TriggerEvents/${code}_${event}`;
  const isOther = structure !== undefined && structure !== code && stated !== structure;
  if (stated && isOther) {
    yield {
      id: "hl7.structure",
      message:
        `MSH-9.3 is ${JSON.stringify(stated.slice(0, 50))}; the structure of ${code}^${event} is ` +
        `${structure} in ${version}`,
      ...whereIs(subject, 9),
      source,
    };
  }
  const present = new Set(segments.map(({ id }) => id));
  const required = structure === undefined ? REQUIRED_SEGMENTS[code] : rules.structures[structure];
  const later = new Set(
    newest.structures[structureOf(code, event, newest) ?? ""]?.split(" ") ?? required?.split(" "),
  );
  for (const id of required?.split(" ").filter(Boolean) ?? []) {
    if (present.has(id)) continue;
    yield {
      id: "hl7.segment",
      ...(later.has(id) ? {} : { level: "warning" as const }),
      message: `${code}^${event} needs a segment ${id} in ${version}`,
      ...whereIs(subject, 9),
      source,
    };
  }
}

function* ofFields(
  segment: Segment,
  { message }: Hl7Subject,
  { version, rules, newest }: Rules,
): Generator<Found> {
  const { id, fields } = segment;
  const required = id === "MSH" ? REQUIRED_OF_MSH : positionsOf(rules, id);
  const later = id === "MSH" ? REQUIRED_OF_MSH : positionsOf(newest, id);
  for (const position of required) {
    if (fields[position - 1]?.value) continue;
    yield {
      id: "hl7.field",
      ...(later.includes(position) ? {} : { level: "warning" as const }),
      message: `${id}-${position} is empty, but required in ${version}`,
      where: () => placeOf(message, { segment, position }),
      source: `${DEFINITIONS}/HL7v${version}/Segments/${id}`,
    };
  }
}

/** A field of the header, which determines the rules for the whole message. */
function whereIs({ message, segments }: Hl7Subject, position: number): Pick<Found, "where"> {
  const segment = headerOf(segments);
  return segment === undefined ? {} : { where: () => placeOf(message, { segment, position }) };
}

function positionsOf({ fields }: VersionRules, id: string): readonly number[] {
  return Object.hasOwn(fields, id) ? fields[id]! : [];
}

function* ofObservations({ message, segments }: Hl7Subject): Generator<Found> {
  let observations = 0;
  let isOrdered = message.header.code !== "ORU";
  for (const segment of segments) {
    const { id, occurrence, fields } = segment;
    if (id === "OBX") {
      if (!isOrdered && occurrence === 1) {
        yield {
          id: "hl7.order",
          message: "OBX before OBR",
          where: () => placeOf(message, { segment }),
        };
      }
      const stated = fields[0]?.value ?? "";
      observations++;
      if (stated !== "" && Number(stated) !== observations) {
        yield {
          id: "hl7.set_id",
          message: `OBX-1 is ${JSON.stringify(stated)}; expected ${observations}`,
          where: () => placeOf(message, { segment, position: 1 }),
        };
        observations = Number(stated) || observations;
      }
    } else if (id !== "NTE") {
      observations = 0;
      if (id === "OBR") isOrdered = true;
    }
  }
}
