import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { countSegments } from "../codec/segments.ts";
import { type Country, countryOf, guidelineOf } from "./countries.ts";
import { alphanumericSenderOf } from "./sender.ts";
import { isBinary, placeFrom, type SmsSubject } from "./subject.ts";

/** Checks of the sender, the length and the characters by the rules of the recipient's country. */
export const countryTopic: CheckTopic<SmsSubject> = {
  checks: [
    {
      id: "sms.sender_country",
      level: "warning",
      about:
        "The networks of the recipient's country show no alphanumeric sender, or not this one; a note if they show " +
        "registered ones, or if some of them do",
      source: "https://www.twilio.com/en-us/guidelines/sms",
    },
    {
      id: "sms.segments_country",
      level: "info",
      about:
        "In the recipient's country, so many segments may arrive late or separately, or are counted " +
        "differently",
      source: "https://www.twilio.com/en-us/guidelines/jp/sms",
    },
    {
      id: "sms.character_country",
      level: "warning",
      about: "The networks of the recipient's country do not show a character of the text",
      source: "https://www.twilio.com/en-us/guidelines/us/sms",
    },
  ],
  *find(subject) {
    const country = countryOf(subject.to);
    if (country === undefined) return;
    const sender = alphanumericSenderOf(subject);
    if (sender !== undefined) yield* ofSender(sender, country);
    if (isBinary(subject)) return;
    yield* ofSegments(subject, country);
    yield* ofCharacters(subject.body, country);
  },
};

/** How networks treat a sender, with the level of the finding. */
const OUTCOMES: Readonly<
  Record<Country["support"], readonly ["info" | "warning", (name: string) => string] | undefined>
> = {
  shown: undefined,
  registered: [
    "info",
    (name) =>
      `Networks of ${name} show an alphanumeric sender only if it is registered; they block or replace others`,
  ],
  "partly registered": [
    "info",
    (name) => `Some networks of ${name} show an alphanumeric sender only if it is registered`,
  ],
  replaced: [
    "warning",
    (name) => `Networks of ${name} replace an alphanumeric sender with a number or another name`,
  ],
  "partly replaced": [
    "info",
    (name) =>
      `Some networks of ${name} replace an alphanumeric sender with a number or another name`,
  ],
  unsupported: [
    "warning",
    (name) => `Networks of ${name} do not support alphanumeric senders; send from a number`,
  ],
};

function* ofSender(from: string, country: Country): Generator<Found> {
  const { name, support, characters, words, generic } = country;
  const rule = {
    id: "sms.sender_country",
    source: guidelineOf(country),
    where: () => placeIn("from", from, { start: 0, end: from.length }),
  };
  const outcome = OUTCOMES[support];
  if (outcome !== undefined) yield { ...rule, level: outcome[0], message: outcome[1](name) };
  const shown = JSON.stringify(from);
  if (characters !== undefined && !characters.form.test(from)) {
    yield {
      ...rule,
      message: `Networks of ${name} restrict the sender ${shown}; expected ${characters.expected}`,
    };
  }
  const word = words?.exec(from)?.[0];
  if (word !== undefined) {
    yield {
      ...rule,
      message: `Networks of ${name} accept no sender with ${JSON.stringify(word)} in it`,
    };
  }
  if (generic?.test(from)) {
    yield {
      ...rule,
      message: `Networks of ${name} block generic senders such as ${shown}; use a brand name`,
    };
  }
}

function* ofSegments({ body, provider }: SmsSubject, country: Country): Generator<Found> {
  const { name, segments, single, isApart } = country;
  const { count, encoding, units, ends } = countSegments(body);
  const rule = {
    id: "sms.segments_country",
    source: guidelineOf(country),
    where: () => placeFrom(body, ends[0] ?? 0),
  };
  if (segments !== undefined && count > segments.most) {
    yield { ...rule, message: `${count} segments; ${segments.why}` };
  }
  if (isApart === true && count > 1 && provider === "sms1") {
    yield {
      ...rule,
      message:
        `${count} segments arrive as ${count} messages: Twilio does not join them for ${name}`,
    };
  }
  const most = single?.[encoding];
  if (most !== undefined && count === 1 && units > most) {
    yield {
      ...rule,
      message: `${units} ${
        encoding === "GSM-7" ? "septets" : "units"
      } take 2 segments in ${name}, where one holds ${most}`,
    };
  }
}

function* ofCharacters(body: string, country: Country): Generator<Found> {
  const { name, euro } = country;
  const start = body.indexOf("€");
  if (euro === undefined || start === -1) return;
  if (euro === "in UCS-2" && countSegments(body).encoding === "UCS-2") return;
  yield {
    id: "sms.character_country",
    message: euro === "never"
      ? `Networks of ${name} do not show "€"; write EUR`
      : `Networks of ${name} show "€" in UCS-2 only; write EUR, or add a character outside GSM-7`,
    source: guidelineOf(country),
    where: () => placeIn("body", body, { start, end: start + "€".length }),
  };
}
