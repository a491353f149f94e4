import { placeIn } from "../../../core/checks/place.ts";
import type { Found } from "../../../core/plugin.ts";
import type { EdiDocument } from "../codec/edi.ts";

/** Element 479 of X12, the codes of GS01. */
export const GROUP_CODES = "https://www.stedi.com/edi/x12/element/479";

/** Transaction sets by the code of their group. Those of other groups are not compared. */
const SETS: Readonly<Record<string, string>> = {
  AG: "824",
  AR: "943",
  AW: "947",
  BE: "834",
  BS: "857",
  CA: "865",
  CD: "812",
  FA: "997 999",
  GF: "990",
  HB: "271",
  HC: "837",
  HN: "277",
  HP: "835",
  HR: "276",
  HS: "270",
  IB: "846",
  IM: "210",
  IN: "810",
  OW: "940",
  PC: "860",
  PD: "852",
  PO: "850",
  PR: "855",
  PS: "830",
  PT: "867",
  QM: "214",
  RA: "820",
  RC: "861",
  RE: "944",
  RQ: "840",
  RR: "843",
  RS: "870",
  SC: "832",
  SH: "856",
  SM: "204",
  SS: "862",
  SW: "945",
};
const CODE_OF_SET: ReadonlyMap<string, string> = new Map(
  Object.entries(SETS).flatMap(([code, sets]) => sets.split(" ").map((set) => [set, code])),
);

/** GS01 is the code of the transaction sets in the group. */
export function* ofGroups({ standard, segments }: EdiDocument, source: string): Generator<Found> {
  if (standard !== "x12") return;
  let group = "";
  for (const segment of segments) {
    const [tag, first = ""] = segment.elements;
    if (tag === "GS") group = first.trim();
    const set = first.trim();
    const code = tag === "ST" ? CODE_OF_SET.get(set) : undefined;
    if (code === undefined || code === group || group === "") continue;
    yield {
      id: "as2.edi_group",
      message: `GS01 is ${JSON.stringify(group)}; a transaction set ${set} belongs in ${code}`,
      where: () => placeIn("document", source, segment),
    };
  }
}

/** Element 0001 of EDIFACT, the syntax identifier. */
export const CHARSETS = "https://www.gefeg.com/jswg/cl/v4x/40100/cl1.htm";

/** ISO 646 without lower-case letters, and with them; line ends, which receivers skip, and the separators of level B. */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
  UNOA: /[^\x20-\x60\x7b-\x7e\r\n]/,
  UNOB: /[^\p{Cc}\x20-\x7e]/u,
};

/** UNB S001 names the character set of the document. */
export function* ofCharset(
  { standard, component, segments }: EdiDocument,
  source: string,
): Generator<Found | undefined> {
  const header = segments.find(({ tag }) => tag === "UNB");
  const name = header?.elements[1]?.split(component, 1)[0]?.trim() ?? "";
  if (standard !== "edifact" || !Object.hasOwn(OUTSIDE, name)) return;
  for (const { start, end } of segments) {
    yield undefined;
    const at = source.slice(start, end).search(OUTSIDE[name]!);
    if (at === -1) continue;
    const found = start + at;
    yield {
      id: "as2.edi_charset",
      message: `${JSON.stringify(source[found])} is not a character of ${name}`,
      where: () => placeIn("document", source, { start: found, end: found + 1 }),
    };
  }
}
