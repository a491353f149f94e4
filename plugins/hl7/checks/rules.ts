/** Rules of HL7 v2 for messages of every version; differences are in `versions.ts`. */

/** Segments of messages without a defined structure, by message code. */
export const REQUIRED_SEGMENTS: Readonly<Record<string, string>> = {
  ADT: "EVN PID",
  OML: "ORC",
  RDE: "ORC RXE",
};

/** Fields of MSH, in every version. */
export const REQUIRED_OF_MSH: readonly number[] = [9, 10, 11, 12];

/** Fields with a timestamp (DTM) or a date. */
export const TIMES: Readonly<Record<string, readonly number[]>> = {
  MSH: [7],
  EVN: [2, 3, 6],
  FT1: [4],
  OBR: [6, 7, 8, 14, 22],
  OBX: [14],
  ORC: [9],
  PID: [7, 29, 33],
  PV1: [44, 45],
};

/** Fields with values from an HL7 table, by segment and field. */
export const TABLES: Readonly<Record<string, { readonly table: string; readonly values: string }>> =
  {
    "MSA-1": { table: "0008", values: "AA AE AR CA CE CR" },
    "MSH-11": { table: "0103", values: "D P T" },
    "MSH-15": { table: "0155", values: "AL ER NE SU" },
    "MSH-16": { table: "0155", values: "AL ER NE SU" },
    "OBX-11": { table: "0085", values: "C D F I N O P R S U W X" },
    "ORC-1": {
      table: "0119",
      values:
        "AF CA CH CN CR DC DE DF DR FU HD HR LI MC NA NW OC OD OE OF OH OK OP OR PA PR PY RE RF RL RO RP RQ RR RU SC SN " +
        "SR SS UA UC UD UF UH UM UN UR UX XO XR XX",
    },
    "PID-8": { table: "0001", values: "A F M N O U" },
    "PV1-2": { table: "0004", values: "B C E I N O P R U" },
  };

/** Types of the value of OBX-5 (table 0125). */
export const VALUE_TYPES = new Set(
  ("AD CE CF CK CN CNE CP CWE CX DR DT DTM ED FT MA MO NA NM PN RP SI SN ST TM TN TS TX XAD XCN XON XPN XTN")
    .split(" "),
);
