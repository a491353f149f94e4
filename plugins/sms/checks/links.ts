import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic } from "../../../core/plugin.ts";
import type { SmsSubject } from "./subject.ts";

/** Shared link shorteners, which carriers filter. */
const SHORTENER =
  /(?<![\w./-])(?:https?:\/\/)?(?:www\.)?(?:bit\.ly|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|buff\.ly|t\.ly|cutt\.ly|rebrand\.ly|shorturl\.at|rb\.gy|t\.co|tiny\.cc)\/[^\s]{1,200}/gi;

/** Words of advertising, which must offer an opt-out. */
const PROMOTION =
  /\b(sale|discount|deal|offer|promo|coupon|% off|save \d|free shipping|shop now|buy now|limited time)\b/i;
/** Words to which Twilio reacts: https://www.twilio.com/docs/proxy/opt-out-keywords */
const OPT_OUT =
  /\b(stop(all)?|unsubscribe|opt[- ]?out|cancel|quit|arr[eê]tt?e?)\b|\b(reply|text|txt|send)\s{1,3}["“']?end\b/i;

/** Checks of links and wording that carriers filter. */
export const linksTopic: CheckTopic<SmsSubject> = {
  checks: [
    {
      id: "sms.link_shortener",
      level: "warning",
      about: "A link uses a shared shortener: carriers filter such messages",
      source:
        "https://support.twilio.com/hc/en-us/articles/1260804572090-How-can-I-send-shortened-links-in-my-messages-",
    },
    {
      id: "sms.opt_out",
      level: "info",
      about: "An advertisement does not say how to opt out, for example by replying STOP",
      source: "https://www.twilio.com/en-us/legal/messaging-policy",
    },
  ],
  *find({ body }) {
    for (const { 0: link, index } of body.matchAll(SHORTENER)) {
      yield {
        id: "sms.link_shortener",
        message: `Carriers filter links from shared shorteners; use a domain of your own`,
        where: () => placeIn("body", body, { start: index, end: index + link.length }),
      };
    }
    const promotion = PROMOTION.exec(body);
    if (promotion !== null && !OPT_OUT.test(body)) {
      const { 0: word, index } = promotion;
      yield {
        id: "sms.opt_out",
        message:
          'This reads like an advertisement, but does not say how to opt out, like "Reply STOP to end"',
        where: () => placeIn("body", body, { start: index, end: index + word.length }),
      };
    }
  },
};
