import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const sms = (body: string, more: object = {}): CheckedItem => ({
  payload: { to: "+447700900123", from: "+447700900999", body, ...more },
});

/** A message to Amazon SNS or Vonage, with notes. */
const to = (provider: string, meta: Readonly<Record<string, unknown>>, more: object = {}) => ({
  ...sms("Hi", more),
  provider,
  meta,
});
const vonage = (meta: object, more: object = {}) => to("sms3", { api: "sms", ...meta }, more);

testTwins(CHECKS, {
  "sms.ucs2": {
    bad: sms(`It’s ${"a".repeat(100)}`),
    good: sms(`It's ${"a".repeat(100)}`),
    says: '"\'" is its GSM-7 twin; with all of them replaced, the text takes 1 fewer segments',
    marks: "’",
  },
  "sms.ucs2 of a letter": { bad: sms("Łódź"), good: sms("Привет"), marks: "ź" },
  "sms.ucs2 of a letter and its accent": {
    bad: sms("Cafe\u0301"),
    good: sms("Café"),
    says: 'normalization form C writes it as "é"',
    marks: "\u0301",
  },
  "sms.ucs2 of a fraction": { bad: sms("½ off"), good: sms("¨ off"), says: '"1/2" is its' },
  "sms.segments": {
    bad: sms("a".repeat(161)),
    good: sms("a".repeat(160)),
    says: "161 GSM-7 septets take 2 segments",
    marks: "a".repeat(8),
  },
  "sms.length": { bad: sms(`${"a".repeat(320)}b`), good: sms("a".repeat(320)), marks: "b" },
  "sms.sender": {
    bad: sms("Hi", { from: "Example Company" }),
    good: sms("Hi", { from: "Example" }),
    marks: "Example Company",
  },
  "sms.sender with a number sign": {
    bad: sms("Hi", { from: "#Example" }),
    good: sms("Hi", { from: "#Example", to: "+85251234567" }),
  },
  "sms.sender of Amazon SNS": {
    bad: to("sms2", {}, { from: "My Shop" }),
    good: to("sms2", {}, { from: "MyShop" }),
    says: "3 to 11 letters and digits",
  },
  "sms.sender of Vonage": {
    bad: vonage({}, { from: "My-Shop" }),
    good: vonage({}, { from: "My Shop" }),
    says: "spaces are removed",
  },
  "sms.sender with too many digits": {
    bad: vonage({}, { from: "4477009001234567" }),
    good: to("sms3", { api: "messages" }, { from: "10544693245551234", to: "messenger:1" }),
    says: "16 digits; at most 15",
  },
  "sms.setting of Vonage": {
    bad: vonage({ ttl: "19999" }),
    good: vonage({ ttl: "20000", client_ref: "order-7", message_class: "1" }),
    says: 'ttl is "19999"; expected 20000 to 604800000',
  },
  "sms.setting that is too long": {
    bad: vonage({ client_ref: "a".repeat(101) }),
    good: vonage({ client_ref: "a".repeat(100) }),
    says: "client-ref has 101 characters; at most 100",
  },
  "sms.setting of Amazon SNS": {
    bad: to("sms2", { message_attributes: { "AWS.SNS.SMS.SMSType": "transactional" } }),
    good: to("sms2", { message_attributes: { "AWS.SNS.SMS.SMSType": "Transactional" } }),
    says: "Promotional or Transactional",
  },
  "sms.setting that is a price": {
    bad: to("sms2", { message_attributes: { "AWS.SNS.SMS.MaxPrice": "0,50" } }),
    good: to("sms2", { message_attributes: { "AWS.SNS.SMS.MaxPrice": "0.50" } }),
  },
  "sms.unicode_type": {
    bad: vonage({}, { body: "Привет", segments: { forced_by: "П" } }),
    good: vonage({ type: "unicode" }, { body: "Привет", segments: { forced_by: "П" } }),
    says: "send type=unicode",
    marks: "П",
  },
  "sms.segments of bytes": {
    bad: vonage({}, { body: "0a".repeat(100) }),
    good: vonage({ type: "binary" }, { body: "0a".repeat(100) }),
  },
  "sms.sender_country": {
    bad: sms("Hi", { from: "Example", to: "+15558675310" }),
    good: sms("Hi", { from: "+15017122661", to: "+15558675310" }),
    says: "the United States and Canada do not support alphanumeric senders",
    marks: "Example",
  },
  "sms.sender_country of an island": {
    bad: sms("Hi", { from: "Example", to: "+15558675310" }),
    good: sms("Hi", { from: "Example", to: "+18765551234" }),
  },
  "sms.sender_country of registered senders": {
    bad: sms("Hi", { from: "Example", to: "+61491570006" }),
    good: sms("Hi", { from: "Example", to: "+393900000000" }),
    says: "Networks of Australia show an alphanumeric sender only if it is registered",
  },
  "sms.sender_country of Vonage, without a plus sign": {
    bad: vonage({}, { from: "Example", to: "966500000000" }),
    good: vonage({}, { from: "Example", to: "393900000000" }),
    says: "Saudi Arabia",
  },
  "sms.sender_country with replaced senders": {
    bad: sms("Hi", { from: "Example", to: "+60120000000" }),
    good: sms("Hi", { from: "+15017122661", to: "+60120000000" }),
    says: "Malaysia replace an alphanumeric sender with a number",
  },
  "sms.sender_country with partly replaced senders": {
    bad: sms("Hi", { from: "Example", to: "+385911234567" }),
    good: sms("Hi", { from: "Example", to: "+386401234567" }),
    says: "Some networks of Croatia replace an alphanumeric sender",
  },
  "sms.sender_country with partly registered senders": {
    bad: sms("Hi", { from: "Example", to: "+420601123456" }),
    good: sms("Hi", { from: "Example", to: "+421901123456" }),
    says:
      "Some networks of the Czech Republic show an alphanumeric sender only if it is registered",
  },
  "sms.sender_country of two countries with one prefix": {
    bad: sms("Hi", { from: "Example", to: "+77011234567" }),
    good: sms("Hi", { from: "+15017122661", to: "+77011234567" }),
    says: "Networks of Kazakhstan",
  },
  "sms.sender_country of an island that replaces senders": {
    bad: sms("Hi", { from: "Example", to: "+12423591234" }),
    good: sms("Hi", { from: "Example", to: "+12461234567" }),
    says: "the Bahamas replace",
  },
  "sms.sender_country without generic senders": {
    bad: sms("Hi", { from: "Info", to: "+48501123456" }),
    good: sms("Hi", { from: "Infora", to: "+48501123456" }),
    says: 'Networks of Poland block generic senders such as "Info"',
  },
  "sms.sender_country without generic senders of Britain": {
    bad: sms("Hi", { from: "Delivery" }),
    good: sms("Hi", { from: "Delivery", to: "+48501123456" }),
    says: "use a brand name",
  },
  "sms.sender_country with its own characters": {
    bad: sms("Hi", { from: "My+Shop" }),
    good: sms("Hi", { from: "My-Shop" }),
    says: 'the United Kingdom restrict the sender "My+Shop"',
  },
  "sms.sender_country without special characters": {
    bad: sms("Hi", { from: "My-Shop", to: "+33600000000" }),
    good: sms("Hi", { from: "MyShop", to: "+33600000000" }),
    says: "expected letters and digits",
  },
  "sms.sender_country with words": {
    bad: sms("Hi", { from: "ShopSms", to: "+639170000000" }),
    good: sms("Hi", { from: "ShopSms", to: "+393900000000" }),
    says: 'accept no sender with "Sms" in it',
  },
  "sms.segments_country": {
    bad: sms("a".repeat(5 * 153 + 1), { to: "+819000000000" }),
    good: sms("a".repeat(5 * 153), { to: "+819000000000" }),
    says: "6 segments; a network of Japan may delay more than 5",
  },
  "sms.segments_country with a recommendation": {
    bad: sms("你".repeat(8 * 67 + 1), { to: "+8613800000000" }),
    good: sms("你".repeat(8 * 67), { to: "+8613800000000" }),
    says: "9 segments; Twilio recommends at most 8 to China",
  },
  "sms.segments_country that stay apart": {
    bad: { provider: "sms1", ...sms(`${"a".repeat(153)}${"b".repeat(8)}`, { to: "+50688881234" }) },
    good: { provider: "sms1", ...sms("a".repeat(160), { to: "+50688881234" }) },
    says: "2 segments arrive as 2 messages: Twilio does not join them for Costa Rica",
    marks: "b".repeat(8),
  },
  "sms.segments_country of reserved characters": {
    bad: sms("a".repeat(156), { to: "+905321234567" }),
    good: sms("a".repeat(155), { to: "+905321234567" }),
    says: "156 septets take 2 segments in Turkey, where one holds 155",
  },
  "sms.segments_country of reserved characters in UCS-2": {
    bad: sms("ж".repeat(66), { to: "+905321234567" }),
    good: sms("ж".repeat(65), { to: "+905321234567" }),
    says: "66 units take 2 segments",
  },
  "sms.character_country": {
    bad: sms("Only 5 €", { to: "+15558675310" }),
    good: sms("Only 5 €"),
    says: 'do not show "€"; write EUR',
    marks: "€",
  },
  "sms.character_country in UCS-2": {
    bad: sms("Only 5 €", { to: "+966500000000" }),
    good: sms("السعر 5 €", { to: "+966500000000" }),
    says: 'show "€" in UCS-2 only',
  },
  "sms.recipient": { bad: sms("Hi", { to: "+0447700900" }), good: sms("Hi"), marks: "+0447700900" },
  "sms.link_shortener": {
    bad: sms("See https://bit.ly/3xyz now"),
    good: sms("See https://example.com/bit.ly/3xyz now"),
    marks: "https://bit.ly/3xyz",
  },
  "sms.opt_out": {
    bad: sms("Summer sale: shop now"),
    good: sms("Summer sale: shop now. Reply STOP to end"),
  },
  "sms.opt_out with another word": {
    bad: sms("Sale until the end of June"),
    good: sms("Sale until June. Text END to leave"),
  },
  "sms.placeholder": {
    bad: sms("Hi {{first_name}}, your code is 1234"),
    good: sms("Hi Ada, your code is 1234, worth 20 %OFF_SEASON or {so}"),
    marks: "{{first_name}}",
  },
  "sms.placeholder for a missing value": {
    bad: sms("Hello undefined, welcome"),
    good: sms("The behaviour is undefined, and null and void"),
    marks: "undefined",
  },
  "sms.private_link": {
    bad: sms("Confirm at http://localhost:3000/confirm?x=1"),
    good: sms("Confirm at https://example.com/confirm?host=localhost"),
    says: "points to localhost",
    marks: "http://localhost:3000/confirm?x=1",
  },
});
