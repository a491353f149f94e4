import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { countryOf, guidelineOf } from "./countries.ts";
import type { SmsSubject } from "./subject.ts";

/** Pattern of alphanumeric senders that a vendor accepts. */
interface SenderRule {
  readonly form: RegExp;
  readonly expected: string;
  readonly source: string;
}

const RULES: Readonly<Record<string, SenderRule>> = {
  sms1: {
    form: /^[A-Za-z0-9 +_&-]{1,11}$/,
    expected: '1 to 11 letters, digits, spaces or "+-_&", with at least one letter',
    source: "https://www.twilio.com/docs/messaging/api/alphasender-resource",
  },
  sms2: {
    form: /^[A-Za-z0-9]{3,11}$/,
    expected: "3 to 11 letters and digits, with at least one letter and no space",
    source: "https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html",
  },
  sms3: {
    form: /^[A-Za-z0-9 ]{1,11}$/,
    expected: "1 to 11 letters and digits; spaces are removed",
    source: "https://developer.vonage.com/en/messaging/sms/guides/custom-sender-id",
  },
};
/** Digits of a number. */
const MAX_DIGITS = 15;

/** Checks of the sender, and whether the recipient's country shows it. */
export const senderTopic: CheckTopic<SmsSubject> = {
  checks: [
    {
      id: "sms.sender",
      level: "error",
      about:
        "An alphanumeric sender is too long for its vendor, has no letter, or has a character that the vendor does not " +
        "accept; or a number has more than 15 digits",
      source: "https://www.twilio.com/docs/messaging/api/alphasender-resource",
    },
    {
      id: "sms.sender_country",
      level: "warning",
      about:
        "The networks of the recipient's country show no alphanumeric sender, or not this one; only information if they " +
        "show registered ones",
      source: "https://www.twilio.com/en-us/guidelines/sms",
    },
    {
      id: "sms.recipient",
      level: "error",
      about: "The recipient is not an E.164 number: a plus sign and at most 15 digits",
      source: "https://www.twilio.com/docs/glossary/what-e164",
    },
  ],
  *find({ from, to, provider }) {
    const number = /^(?:[a-z_]+:)?(\+.*)$/.exec(to)?.[1];
    if (number !== undefined && !/^\+[1-9]\d{1,14}$/.test(number)) {
      yield {
        id: "sms.recipient",
        message: `${
          JSON.stringify(to)
        } is not an E.164 number: expected + and 2 to 15 digits, the first not 0`,
      };
    }
    // Other channels have other kinds of senders.
    if (from === undefined || [from, to].some((one) => /^[a-z_]+:(?!aws)/.test(one))) return;
    const digits = /^\+?(\d+)$/.exec(from)?.[1];
    const { form, expected, source } = RULES[provider] ?? RULES.sms1!;
    if (digits !== undefined) {
      if (digits.length <= MAX_DIGITS) return;
      yield {
        id: "sms.sender",
        message: `The number ${from} has ${digits.length} digits; at most ${MAX_DIGITS}`,
        source,
      };
      return;
    }
    if (!form.test(from) || !/[A-Za-z]/.test(from)) {
      yield {
        id: "sms.sender",
        message: `${JSON.stringify(from)} cannot be a sender: expected ${expected}`,
        source,
      };
    }
    yield* inCountry(from, to);
  },
};

/** Checks an alphanumeric sender by the rules of the recipient's country. */
function* inCountry(from: string, to: string): Generator<Found> {
  const country = countryOf(to);
  if (country === undefined) return;
  const { name, support, characters, words } = country;
  const rule = { id: "sms.sender_country", source: guidelineOf(country) };
  const networks = `Networks of ${name}`;
  if (support === "unsupported") {
    yield {
      ...rule,
      message: `${networks} do not support alphanumeric senders; send from a number`,
    };
  } else if (support === "replaced") {
    yield { ...rule, message: `${networks} replace an alphanumeric sender with a number` };
  } else if (support === "registered") {
    yield {
      ...rule,
      level: "info",
      message:
        `${networks} show an alphanumeric sender only if it is registered; they block or replace others`,
    };
  }
  if (characters !== undefined && !characters.form.test(from)) {
    yield {
      ...rule,
      message: `${networks} restrict the sender ${
        JSON.stringify(from)
      }; expected ${characters.expected}`,
    };
  }
  const word = words?.exec(from)?.[0];
  if (word !== undefined) {
    yield {
      ...rule,
      message: `${networks} accept no sender with ${JSON.stringify(word)} in it`,
    };
  }
}
