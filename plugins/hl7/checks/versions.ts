/** Requirements of each version of HL7 v2, from `versions.json`. */

/** Requirements of one version. */
export interface VersionRules {
  /** Segments by message structure, separated by spaces, MSH left out. */
  readonly structures: Readonly<Record<string, string>>;
  /** Positions of fields by segment. */
  readonly fields: Readonly<Record<string, readonly number[]>>;
}

/** The versions in `versions.json`. */
export interface VersionData {
  readonly source: string;
  readonly licence: string;
  readonly versions: Readonly<Record<string, VersionRules>>;
}

/** Loads the data on first use. */
export async function loadVersions(): Promise<VersionData> {
  const { default: data } = await import("./versions.json", { with: { type: "json" } });
  return data as unknown as VersionData;
}

/** The version whose rules also apply to newer ones: these withdraw and rename, and require little more. */
export const NEWEST = "2.5.1";
const OLDEST = "2.3";

/** Returns the version whose rules apply for MSH-12: itself, else the nearest. */
export function ruledVersion(stated: string, { versions }: Pick<VersionData, "versions">): string {
  const number = stated.trim();
  if (Object.hasOwn(versions, number)) return number;
  return /^2\.[12](?:\.\d)?$/.test(number) ? OLDEST : NEWEST;
}

/** Versions that HL7 has published. */
export const PUBLISHED: ReadonlySet<string> = new Set(
  "2.0 2.1 2.2 2.3 2.3.1 2.4 2.5 2.5.1 2.6 2.7 2.7.1 2.8 2.8.1 2.8.2 2.9 2.9.1".split(" "),
);

/**
 * Events that share the structure of another one: table 0354, "message structure", of 2.5.1. As pages:
 * http://www.hl7.eu/refactored/msgADT_A21.html and its neighbours.
 */
const SHARED: Readonly<Record<string, string>> = {
  ADT_A01: "A04 A08 A13",
  ADT_A05: "A14 A28 A31",
  ADT_A06: "A07",
  ADT_A09: "A10 A11",
  ADT_A21: "A22 A23 A25 A26 A27 A29 A32 A33",
  ADT_A30: "A34 A35 A36 A46 A47 A48 A49",
  ADT_A39: "A40 A41 A42",
  ADT_A43: "A44",
  ADT_A50: "A51",
  ADT_A52: "A53",
  ADT_A54: "A55",
  ADT_A61: "A62",
  MDM_T01: "T03 T05 T07 T09 T11",
  MDM_T02: "T04 T06 T08 T10",
  SIU_S12: "S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24 S26",
};

const STRUCTURES: ReadonlyMap<string, string> = new Map(
  Object.entries(SHARED).flatMap(([structure, events]) =>
    events.split(" ").filter(Boolean).map((event) =>
      [`${structure.split("_")[0]}_${event}`, structure] as const
    )
  ),
);

/** Structures that 2.4 introduced for events that previously shared another one. */
const BEFORE_2_4: Readonly<Record<string, string>> = { ADT_A05: "ADT_A01" };

/** Returns the structure of a trigger event in a version; `undefined` if it has none there. */
export function structureOf(
  code: string,
  event: string,
  { structures }: VersionRules,
): string | undefined {
  const own = `${code}_${event}`;
  const usual = STRUCTURES.get(own) ?? own;
  return [usual, BEFORE_2_4[usual], own, code].find((name) =>
    name !== undefined && Object.hasOwn(structures, name)
  );
}
