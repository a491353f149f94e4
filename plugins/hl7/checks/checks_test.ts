import { assertEquals } from "@std/assert";
import {
  type CheckedItem,
  findingsOf,
  testTwins,
  type Twins,
} from "../../../tests/support/checks.ts";
import { parseSegments } from "../codec/segment.ts";
import { DEFAULT_SEPARATORS } from "../codec/separators.ts";
import { CHECKS } from "./mod.ts";
import { parseProfile } from "./profile.ts";

const MSH = "MSH|^~\\&|A|B|C|D|20260131120000||ADT^A01^ADT_A01|1|P|2.5.1";
const EVN = "EVN||20260131120000";
const PID = "PID|1||4711^^^HOSP||Doe^John||19700101|M";
const PV1 = "PV1|1|I";
const ORU = MSH.replace("ADT^A01^ADT_A01", "ORU^R01^ORU_R01");
const OBR = "OBR|1|||GLU^Glucose";
const OBX = "OBX|1|NM|GLU||5.4|mmol/l|||||F";

function hl7(...lines: string[]): CheckedItem {
  const fields = lines[0]!.split("|");
  const [code, event, structure] = fields[8]!.split("^");
  const segments = parseSegments(lines.join("\r"), DEFAULT_SEPARATORS);
  const header = { code, trigger_event: event, structure, version: fields[11] };
  return { payload: { header, separators: DEFAULT_SEPARATORS, segments } };
}
/** Lines of a message of another version and event. */
const of = (version: string, type: string, ...lines: string[]) => {
  const [code, event] = type.split("^");
  const header = MSH.replace("ADT^A01^ADT_A01", `${code}^${event}`).replace(/2\.5\.1$/, version);
  return hl7(header, ...lines);
};
const PROFILE = parseProfile(
  `
[messages."ADT^A01"]
segments = ["ZPI"]
[messages.ADT]
segments = ["PV1"]
[segments.PID]
required = [7]
[fields."PID-8"]
values = ["F", "M"]
[fields."PID-3"]
max_length = 12
`,
  "profile.toml",
);
const profiled = (...lines: string[]): CheckedItem => ({
  ...adt(...lines),
  state: { profile: PROFILE },
});
const adt = (...lines: string[]) => hl7(MSH, ...lines);
const oru = (...lines: string[]) => hl7(ORU, ...lines);

/** Every message of every version, with one segment removed. */
function segmentRows(): Record<string, Twins> {
  const messages: Readonly<Record<string, readonly string[]>> = {
    "ADT^A01": ["EVN|A01|20260131", PID, PV1],
    "ADT^A40": ["EVN|A40|20260131", PID, "MRG|1"],
    "ORM^O01": ["ORC|NW|||||||"],
    "ORU^R01": [OBR],
    "SIU^S12": ["SCH|1|||||B", "RGS|1"],
    "MDM^T02": ["EVN|T02|20260131", PID, PV1, "TXA|1|CN", OBX],
    "DFT^P03": ["EVN|P03|20260131", PID, "FT1|1|||20260131||CG|X"],
  };
  const rows: Record<string, Twins> = {};
  for (const version of ["2.3", "2.3.1", "2.4", "2.5", "2.5.1"]) {
    for (const [type, lines] of Object.entries(messages)) {
      for (const [at, line] of lines.entries()) {
        const id = line.slice(0, 3);
        rows[`hl7.segment ${id} of ${type} in ${version}`] = {
          bad: of(version, type, ...lines.toSpliced(at, 1)),
          good: of(version, type, ...lines),
          says: `${type} needs a segment ${id} in ${version}`,
        };
      }
    }
  }
  return rows;
}

testTwins(CHECKS, {
  "hl7.segment": {
    bad: adt(EVN, PID),
    good: adt(EVN, PID, PV1),
    says: "ADT^A01 needs a segment PV1",
    marks: "ADT^A01^ADT_A01",
  },
  "hl7.segment of a merge": {
    bad: hl7(MSH.replace("A01", "A40"), EVN, PID),
    good: hl7(MSH.replace("A01", "A40"), EVN, PID, "MRG|1"),
  },
  "hl7.field": {
    bad: adt(EVN, "PID|1||||Doe^John", PV1),
    good: adt(EVN, PID, PV1),
    says: "PID-3 is empty",
    marks: "|",
  },
  "hl7.field of a short segment": {
    bad: oru("OBR|1"),
    good: oru(OBR),
    says: "OBR-4 is empty",
    marks: "OBR",
  },
  "hl7.version": {
    bad: hl7(MSH.replace(/2\.5\.1$/, "25"), EVN, PID, PV1),
    good: hl7(MSH.replace(/2\.5\.1$/, "2.8.2"), EVN, PID, PV1),
    says: '"25" is not a version of HL7',
    marks: "25",
  },
  "hl7.structure": {
    bad: hl7(MSH.replace("ADT^A01^ADT_A01", "ADT^A04^ADT_A04"), EVN, PID, PV1),
    good: hl7(MSH.replace("ADT^A01^ADT_A01", "ADT^A04^ADT_A01"), EVN, PID, PV1),
    says: "the structure of ADT^A04 is ADT_A01 in 2.5.1",
  },
  "hl7.structure of an older version": {
    bad: hl7(MSH.replace("A01^ADT_A01", "A28^ADT_A01"), EVN, PID, PV1),
    good: hl7(MSH.replace("A01^ADT_A01", "A28^ADT_A01").replace(/.5.1$/, ".3"), EVN, PID, PV1),
    says: "ADT_A05 in 2.5.1",
  },
  ...segmentRows(),
  "hl7.field that only an old version requires": {
    bad: of("2.3", "ADT^A01", EVN, PID, PV1),
    good: of("2.4", "ADT^A01", EVN, PID, PV1),
    says: "EVN-1 is empty, but required in 2.3",
  },
  "hl7.field that newer versions require": {
    bad: of("2.3.1", "ADT^A01", "EVN|A01", PID, PV1),
    good: of("2.3", "ADT^A01", "EVN|A01", PID, PV1),
    says: "EVN-2 is empty, but required in 2.3.1",
  },
  "hl7.profile": {
    bad: profiled(EVN, PID, PV1),
    good: profiled(EVN, PID, PV1, "ZPI|1"),
    says: "requires a segment ZPI in ADT^A01",
  },
  "hl7.profile without a field": {
    bad: profiled(EVN, PID.replace("19700101", ""), PV1, "ZPI|1"),
    good: profiled(EVN, PID, PV1, "ZPI|1"),
    says: "requires PID-7",
  },
  "hl7.profile with another value": {
    bad: profiled(EVN, PID.replace("|M", "|X"), PV1, "ZPI|1"),
    good: profiled(EVN, PID, PV1, "ZPI|1"),
    says: 'PID-8 is "X"; the profile allows F, M',
    marks: "X",
  },
  "hl7.profile with a long value": {
    bad: profiled(EVN, PID.replace("4711", "4711471147114711"), PV1, "ZPI|1"),
    good: profiled(EVN, PID, PV1, "ZPI|1"),
    says: "PID-3 has 23 characters; the profile allows 12",
  },
  "hl7.order": { bad: oru(OBX, OBR), good: oru(OBR, OBX), marks: OBX },
  "hl7.set_id": {
    bad: oru(OBR, OBX, OBX.replace("OBX|1", "OBX|3")),
    good: oru(OBR, OBX, "NTE|1", OBX.replace("OBX|1", "OBX|2"), OBR, OBX),
    says: 'OBX-1 is "3"; expected 2',
  },
  "hl7.time": {
    bad: adt(EVN, PID.replace("19700101", "1970-01-01"), PV1),
    good: adt(EVN, PID.replace("19700101", "197001"), PV1),
    says: "1970-01-01",
    marks: "1970-01-01",
  },
  "hl7.time with a zone": {
    bad: adt("EVN||20261331", PID, PV1),
    good: adt("EVN||20260131120000.1234+0100", PID, PV1),
  },
  "hl7.table": {
    bad: adt(EVN, PID.replace("|M", "|male"), PV1),
    good: adt(EVN, PID, PV1),
    says: '"male" is not in table 0001',
    marks: "male",
  },
  "hl7.observation": {
    bad: oru(OBR, OBX.replace("5.4", "<5.4")),
    good: oru(OBR, OBX.replace("5.4", "-.5")),
    says: '"<5.4" is not a number (NM)',
    marks: "<5.4",
  },
  "hl7.observation without a type": { bad: oru(OBR, OBX.replace("NM", "")), good: oru(OBR, OBX) },
  "hl7.observation of an unknown type": {
    bad: oru(OBR, OBX.replace("NM", "ZZ")),
    good: oru(OBR, OBX),
  },
});

Deno.test("a finding has the place of its field: line, column, and the text around it", async () => {
  const [found] = await findingsOf(CHECKS, adt(EVN, PID.replace("|M", "|male"), PV1));
  assertEquals(found?.where, {
    part: "segments",
    line: 3,
    column: 40,
    path: "PID[1]-8",
    before: "PID|1||4711^^^HOSP||Doe^John||19700101|",
    marked: "male",
    after: "",
  });
});

Deno.test("a finding about the header counts its separator as the first field", async () => {
  const [found] = await findingsOf(CHECKS, hl7(MSH.replace("|P|", "|X|"), EVN, PID, PV1));
  assertEquals(found?.where?.path, "MSH[1]-11");
  assertEquals(found?.where?.marked, "X");
});
