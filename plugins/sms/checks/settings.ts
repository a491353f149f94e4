import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { isBinary, type SmsSubject } from "./subject.ts";

const VONAGE = "https://developer.vonage.com/en/api/sms";
const SNS = "https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html";

/** Limits of settings of Vonage's SMS API: smallest and largest number, or maximum length. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  // Milliseconds: 20 seconds to 7 days.
  ttl: [20_000, 604_800_000],
  message_class: [0, 3],
  protocol_id: [0, 255],
};
const LENGTHS: Readonly<Record<string, number>> = { client_ref: 100, callback: 100 };

/** Checks of settings that the vendor refuses, or that change the message. */
export const settingsTopic: CheckTopic<SmsSubject> = {
  checks: [
    {
      id: "sms.setting",
      level: "error",
      about: "A setting of the message has a value that Vonage or Amazon SNS does not accept",
      source: VONAGE,
    },
    {
      id: "sms.unicode_type",
      level: "warning",
      about:
        "Vonage's SMS API encodes the text as GSM-7, which lacks a character, because type is not unicode",
      source: "https://developer.vonage.com/en/messaging/sms/guides/concatenation-and-encoding",
    },
  ],
  *find(subject) {
    const { provider, meta, body, segments } = subject;
    if (provider === "sms2") yield* ofSns(meta);
    if (provider !== "sms3" || meta.api !== "sms") return;
    yield* ofVonage(meta);
    const forcing = segments?.forced_by;
    if (forcing === undefined || meta.type === "unicode" || isBinary(subject)) return;
    yield {
      id: "sms.unicode_type",
      message: `${JSON.stringify(forcing)} is not in GSM-7: send type=unicode`,
      where: () => {
        const start = Math.max(0, body.indexOf(forcing));
        return placeIn("body", body, { start, end: start + forcing.length });
      },
    };
  },
};

function* ofVonage(meta: SmsSubject["meta"]): Generator<Found> {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = meta[name];
    if (value === undefined) continue;
    const number = Number(value);
    if (number >= least && number <= most) continue;
    yield {
      id: "sms.setting",
      message: `${wireName(name)} is ${JSON.stringify(value)}; expected ${least} to ${most}`,
    };
  }
  for (const [name, most] of Object.entries(LENGTHS)) {
    const { length } = [...String(meta[name] ?? "")];
    if (length <= most) continue;
    yield {
      id: "sms.setting",
      message: `${wireName(name)} has ${length} characters; at most ${most}`,
    };
  }
}

/** https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html */
function* ofSns({ message_attributes: given }: SmsSubject["meta"]): Generator<Found> {
  const attributes = (given ?? {}) as Readonly<Record<string, string>>;
  const type = attributes["AWS.SNS.SMS.SMSType"];
  if (type !== undefined && type !== "Promotional" && type !== "Transactional") {
    yield {
      id: "sms.setting",
      message: `AWS.SNS.SMS.SMSType is ${
        JSON.stringify(type.slice(0, 60))
      }; expected Promotional or Transactional`,
      source: SNS,
    };
  }
  const price = attributes["AWS.SNS.SMS.MaxPrice"];
  if (price !== undefined && !/^\d{1,9}(\.\d{1,9})?$/.test(price)) {
    yield {
      id: "sms.setting",
      message: `AWS.SNS.SMS.MaxPrice is ${
        JSON.stringify(price.slice(0, 60))
      }; expected an amount in dollars, such as 0.50`,
      source: SNS,
    };
  }
}

/** The event has the names in snake case. */
function wireName(name: string): string {
  return name.replaceAll("_", "-");
}
