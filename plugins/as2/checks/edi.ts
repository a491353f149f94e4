import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { type EdiDocument, type EdiSegment, parseEdi } from "../codec/edi.ts";
import { CHARSETS, GROUP_CODES, ofCharset, ofGroups } from "./edi_content.ts";
import type { As2Subject } from "./subject.ts";

const EDIFACT = "https://service.unece.org/trade/untdid/texts/d422_d.htm";

/** An envelope: its header, its trailer, and where each states count and number. */
interface Envelope {
  readonly header: string;
  readonly trailer: string;
  /** What the trailer counts: headers of these names, or segments. */
  readonly counts: readonly string[] | "segments";
  /** Element of the header with the control number; the trailer has the count first and the number second. */
  readonly number: number;
}

/** The outermost first. */
const ENVELOPES: Readonly<Record<EdiDocument["standard"], readonly Envelope[]>> = {
  x12: [
    { header: "ISA", trailer: "IEA", counts: ["GS"], number: 13 },
    { header: "GS", trailer: "GE", counts: ["ST"], number: 6 },
    { header: "ST", trailer: "SE", counts: "segments", number: 2 },
  ],
  edifact: [
    { header: "UNB", trailer: "UNZ", counts: ["UNG", "UNH"], number: 5 },
    { header: "UNG", trailer: "UNE", counts: ["UNH"], number: 5 },
    { header: "UNH", trailer: "UNT", counts: "segments", number: 1 },
  ],
};
const ISA_LENGTH = 105;
/** Segments between envelopes: interchange acknowledgements and grades of service of X12, security of EDIFACT. */
const BETWEEN = new Set("TA1 TA3 ISB ISE USA USC USD USH USR UST USU USX".split(" "));

/** Envelopes of X12 and EDIFACT: counts and control numbers. */
export const ediTopic: CheckTopic<As2Subject> = {
  checks: [
    {
      id: "as2.edi_count",
      level: "error",
      about: "A trailer of X12 (IEA, GE, SE) or EDIFACT (UNZ, UNE, UNT) states a wrong count",
      source: EDIFACT,
    },
    {
      id: "as2.edi_control_number",
      level: "error",
      about:
        "Header and trailer of an envelope have different control numbers, or two envelopes have the same one",
      source: EDIFACT,
    },
    {
      id: "as2.edi_envelope",
      level: "error",
      about:
        "An envelope has no trailer, a trailer no header, or a segment is outside its envelope",
      source: EDIFACT,
    },
    {
      id: "as2.edi_group",
      level: "error",
      about:
        "The functional identifier of a group of X12 (GS01) is not that of its transaction sets (ST01)",
      source: GROUP_CODES,
    },
    {
      id: "as2.edi_charset",
      level: "warning",
      about:
        "An EDIFACT document has a character that its syntax identifier (UNOA or UNOB) does not include",
      source: CHARSETS,
    },
    {
      id: "as2.edi_isa",
      level: "error",
      about: "ISA does not have the fixed length of 106 characters",
    },
  ],
  *find({ document }) {
    const edi = document === undefined ? undefined : parseEdi(document);
    if (edi === undefined) return;
    yield* isaLength(edi, document!);
    yield* ofGroups(edi, document!);
    yield* ofCharset(edi, document!);
    const open: Open[] = [];
    for (const segment of edi.segments) {
      yield undefined;
      yield* take(segment, open, { edi, source: document! });
    }
    for (const { segment, envelope } of open) {
      yield {
        id: "as2.edi_envelope",
        message: `${segment.tag} has no ${envelope.trailer}`,
        where: () => placeIn("document", document!, segment),
      };
    }
  },
};

interface Open {
  readonly envelope: Envelope;
  readonly segment: EdiSegment;
  /** Segments in it so far, itself included. */
  segments: number;
  readonly headers: Map<string, number>;
  /** Names and control numbers of the envelopes in it. */
  readonly numbers: Set<string>;
}

function* take(
  segment: EdiSegment,
  open: Open[],
  { edi, source }: { readonly edi: EdiDocument; readonly source: string },
): Generator<Found> {
  const where = () => placeIn("document", source, segment);
  const header = ENVELOPES[edi.standard].find((one) => one.header === segment.tag);
  const trailer = ENVELOPES[edi.standard].find((one) => one.trailer === segment.tag);
  const within = open.at(-1);
  if (header !== undefined) {
    if (within !== undefined) {
      within.headers.set(segment.tag, (within.headers.get(segment.tag) ?? 0) + 1);
      yield* repeated(within, { envelope: header, segment }, where);
    }
    open.push({
      envelope: header,
      segment,
      segments: 1,
      headers: new Map(),
      numbers: new Set(),
    });
    return;
  }
  if (trailer === undefined) {
    if (within?.envelope.counts === "segments") {
      within.segments++;
    } else if (!BETWEEN.has(segment.tag)) {
      const { header } = ENVELOPES[edi.standard].at(-1)!;
      yield {
        id: "as2.edi_envelope",
        message: `${segment.tag.slice(0, 20)} is outside every ${header}`,
        where,
      };
    }
    return;
  }
  const at = open.findLastIndex(({ envelope }) => envelope === trailer);
  if (at === -1) {
    yield { id: "as2.edi_envelope", message: `${segment.tag} has no ${trailer.header}`, where };
    return;
  }
  for (const { envelope } of open.splice(at + 1)) {
    yield {
      id: "as2.edi_envelope",
      message: `${envelope.header} has no ${envelope.trailer}`,
      where,
    };
  }
  yield* compare(open.pop()!, segment, where);
}

/** Control numbers are unique in the envelope around them: ISO 9735 on UNH and UNG, X12.6 on ST and GS. */
function* repeated(
  { numbers, envelope: { header: outer } }: Open,
  { envelope: { number }, segment: { tag, elements } }: Pick<Open, "envelope" | "segment">,
  where: NonNullable<Found["where"]>,
): Generator<Found> {
  const own = elements[number]?.trim() ?? "";
  const name = `${tag} ${own}`;
  if (numbers.has(name)) {
    yield {
      id: "as2.edi_control_number",
      message: `Two ${tag} in one ${outer} have the control number ${JSON.stringify(own)}`,
      where,
    };
  }
  numbers.add(name);
}

function* compare(
  { envelope, segment: header, segments, headers }: Open,
  trailer: EdiSegment,
  where: NonNullable<Found["where"]>,
): Generator<Found> {
  const { counts, number } = envelope;
  const counted = counts === "segments"
    ? segments + 1
    : counts.map((name) => headers.get(name) ?? 0).find((count) => count > 0) ?? 0;
  const stated = trailer.elements[1]?.trim() ?? "";
  if (Number(stated) !== counted || stated === "") {
    const what = counts === "segments" ? "segments" : counts[0];
    yield {
      id: "as2.edi_count",
      message: `${trailer.tag} states ${stated || "nothing"}; counted ${counted} ${what}`,
      where,
    };
  }
  const [sent = "", ends = ""] = [header.elements[number], trailer.elements[2]].map((one) =>
    one?.trim()
  );
  if (sent !== ends) {
    yield {
      id: "as2.edi_control_number",
      message: `${header.tag} has the control number ${JSON.stringify(sent)}, ${trailer.tag} ${
        JSON.stringify(ends)
      }`,
      where,
    };
  }
}

function* isaLength(
  { standard, segments: [first] }: EdiDocument,
  source: string,
): Generator<Found> {
  if (standard !== "x12" || first === undefined) return;
  const length = first.end - first.start;
  if (length === ISA_LENGTH) return;
  yield {
    id: "as2.edi_isa",
    message: `ISA has ${length + 1} characters; expected 106, its elements padded`,
    where: () => placeIn("document", source, first),
  };
}
