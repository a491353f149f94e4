import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { septetsOf } from "../codec/gsm7.ts";
import { countSegments } from "../codec/segments.ts";
import { gsmTwinOf } from "./gsm_twin.ts";
import { isBinary, placeFrom, type SmsSubject } from "./subject.ts";

/** Longest text that the vendor recommends, in characters. */
const RECOMMENDED = 320;

/** Checks of the alphabet and the number of segments. */
export const alphabetTopic: CheckTopic<SmsSubject> = {
  checks: [
    {
      id: "sms.ucs2",
      level: "warning",
      about:
        "A character outside GSM-7 makes the whole text UCS-2, with 70 instead of 160 characters in a segment, " +
        "although a GSM-7 character would do",
      source: "https://www.twilio.com/docs/glossary/what-is-ucs-2-character-encoding",
    },
    {
      id: "sms.segments",
      level: "info",
      about: "The text takes several segments, each of which is charged",
      source: "https://www.twilio.com/docs/glossary/what-is-an-sms-segment",
    },
    {
      id: "sms.length",
      level: "warning",
      about: `The text is longer than the ${RECOMMENDED} characters that the vendor recommends`,
      source: "https://www.twilio.com/docs/glossary/what-sms-character-limit",
    },
  ],
  *find(subject) {
    if (isBinary(subject)) return;
    const { body } = subject;
    yield* forcing(body);
    const { count, encoding, units, ends } = countSegments(body);
    if (count > 1) {
      yield {
        id: "sms.segments",
        message: `${units} ${encoding} ${
          encoding === "GSM-7" ? "septets" : "units"
        } take ${count} segments; phones join them, but the vendor charges for each`,
        where: () => placeFrom(body, ends[0] ?? 0),
      };
    }
    const characters = [...body];
    const { length } = characters;
    if (length > RECOMMENDED) {
      yield {
        id: "sms.length",
        message:
          `${length} characters; texts over ${RECOMMENDED} arrive late or incomplete more often`,
        where: () => placeFrom(body, characters.slice(0, RECOMMENDED).join("").length),
      };
    }
  },
};

/**
 * One finding for each character with a GSM-7 equivalent, if replacing all of them makes the text
 * GSM-7.
 */
function* forcing(body: string): Generator<Found | undefined> {
  const first = new Map<string, number>();
  let at = 0;
  for (const character of body) {
    if (septetsOf(character) === undefined && !first.has(character)) first.set(character, at);
    at += character.length;
  }
  if (first.size === 0) return;
  const twins = [...first].map(([character, start]) => ({
    character,
    start,
    twin: gsmTwinOf(character),
  }));
  if (twins.some(({ twin }) => twin === undefined)) return;
  const cheaper = twins.reduce(
    (text, { character, twin }) => text.replaceAll(character, twin!),
    body,
  );
  const saved = countSegments(body).count - countSegments(cheaper).count;
  const gain = saved === 0
    ? ""
    : `; with all of them replaced, the text takes ${saved} fewer segments`;
  for (const { character, start, twin } of twins) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    const advice = adviceOf(body, start, twin!);
    yield {
      id: "sms.ucs2",
      level: saved === 0 ? "info" : "warning",
      message: `${
        JSON.stringify(character)
      } (U+${code}) is not in GSM-7 and makes the text UCS-2: ${advice}${gain}`,
      where: () => placeIn("body", body, { start, end: start + character.length }),
    };
  }
}

/** A letter and its accent may be one character of GSM-7: Unicode normalization form C joins them. */
function adviceOf(body: string, start: number, twin: string): string {
  const joined = body.slice(Math.max(0, start - 1), start + 1).normalize("NFC");
  if (twin === "" && joined.length === 1 && septetsOf(joined) !== undefined) {
    return `Unicode normalization form C writes it as ${JSON.stringify(joined)}`;
  }
  return twin === "" ? "leave it out" : `${JSON.stringify(twin)} is its GSM-7 twin`;
}
