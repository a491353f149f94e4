import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic } from "../../../core/plugin.ts";
import { countryOf } from "./countries.ts";
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

/** Checks of the sender and the recipient. */
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
        where: () => placeIn("to", to, { start: 0, end: to.length }),
      };
    }
    if (from === undefined || isOtherChannel(from, to)) return;
    const digits = digitsOf(from);
    const where = () => placeIn("from", from, { start: 0, end: from.length });
    const { form, expected, source } = RULES[provider] ?? RULES.sms1!;
    if (digits !== undefined) {
      if (digits.length <= MAX_DIGITS) return;
      yield {
        id: "sms.sender",
        message: `The number ${from} has ${digits.length} digits; at most ${MAX_DIGITS}`,
        source,
        where,
      };
      return;
    }
    // Registered senders of Hong Kong begin with a number sign: https://www.twilio.com/en-us/guidelines/hk/sms
    const sender = countryOf(to)?.iso === "hk" ? from.replace(/^#(?=.{1,10}$)/, "") : from;
    if (!form.test(sender) || !/[A-Za-z]/.test(sender)) {
      yield {
        id: "sms.sender",
        message: `${JSON.stringify(from)} cannot be a sender: expected ${expected}`,
        source,
        where,
      };
    }
  },
};

/** Other channels have other kinds of senders. */
function isOtherChannel(...addresses: readonly string[]): boolean {
  return addresses.some((one) => /^[a-z_]+:(?!aws)/.test(one));
}

function digitsOf(from: string): string | undefined {
  return /^\+?(\d+)$/.exec(from)?.[1];
}

/** Returns the sender if it is not a number. */
export function alphanumericSenderOf({ from, to }: SmsSubject): string | undefined {
  if (from === undefined || isOtherChannel(from, to)) return undefined;
  return digitsOf(from) === undefined ? from : undefined;
}
