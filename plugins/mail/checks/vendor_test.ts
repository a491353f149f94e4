import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const mail = (fields: object, more: Partial<CheckedItem> = {}): CheckedItem => ({
  provider: "mail2",
  payload: { from: { email: "ada@example.org" }, subject: "Hello", text: "Hello", ...fields },
  ...more,
});
/** A mail sent through a vendor's API, with notes. */
const via = (
  provider: string,
  fields: object,
  meta: Readonly<Record<string, unknown>> = {},
  raw: CheckedItem["raw"] = {},
): CheckedItem => mail(fields, { provider, meta, raw });
const attached = (size: number) => ({
  attachments: [{ blob: { id: "1" }, size, filename: "a.pdf", inline: false }],
});

const named = (filename: string) => ({ blob: { id: "1" }, size: 1, filename, inline: false });

/** The others are in `checks_test.ts`. */
const OF_VENDORS = /^mail\.(?:vendor_|template_|substitution$)/;

testTwins(CHECKS, {
  "mail.vendor_size": {
    bad: via("mail4", attached(7_900_000)),
    good: via("mail4", attached(7_800_000)),
    says: "at most 10485760",
  },
  "mail.vendor_size of a body": {
    bad: via("mail4", { text: "a".repeat(5 * 1024 * 1024 + 1) }),
    good: via("mail5", { text: "a".repeat(5 * 1024 * 1024 + 1) }),
    says: "The text has 5242881 bytes",
  },
  "mail.vendor_size of version 1": {
    bad: via("mail6", attached(8_000_000), {}, { path: "/" }),
    good: via("mail6", attached(8_000_000), {}, { path: "/v2/email/outbound-emails" }),
  },
  "mail.vendor_size at Brevo": {
    bad: via("mail7", attached(15_800_000)),
    good: via("mail7", attached(15_700_000)),
  },
  "mail.vendor_tag": {
    bad: via("mail5", {}, { tags: Array(11).fill("a") }),
    good: via("mail5", {}, { tags: Array(10).fill("a".repeat(128)) }),
    says: "11 tags; at most 10",
  },
  "mail.vendor_tag of other characters": {
    bad: via("mail5", {}, { tags: ["Grüße"] }),
    good: via("mail5", {}, { tags: ["September newsletter"] }),
    says: "is not ASCII",
  },
  "mail.vendor_header": {
    bad: via("mail6", {
      headers: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`X-${i}`, ["a"]])),
    }),
    good: via("mail6", {
      headers: Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`X-${i}`, ["a"]])),
    }),
    says: "16 headers; at most 15",
  },
  "mail.vendor_header of a long field": {
    bad: via("mail6", { headers: { "X-A": ["a".repeat(994)] } }),
    good: via("mail6", { headers: { "X-A": ["a".repeat(993)] } }),
    says: "996 together",
  },
  "mail.vendor_header of other characters": {
    bad: via("mail6", { headers: { "X-A": ["ü"] } }),
    good: via("mail6", { headers: { "X-A": ["ü"], "MIME-Version": ["1.0"] } }, { mime: true }),
    says: "not printable ASCII",
    marks: "X-A",
  },
  "mail.vendor_header that Amazon SES sets itself": {
    bad: via("mail6", { headers: { Date: ["Sat, 31 Jan 2026 12:00:00 +0000"] } }),
    good: via("mail6", { headers: { "X-Date": ["Sat, 31 Jan 2026 12:00:00 +0000"] } }),
    says: 'Amazon SES sets "Date" itself',
  },
  "mail.vendor_header with an invalid name": {
    bad: via("mail6", { headers: { "X A": ["a"] } }),
    good: via("mail6", { headers: { "X-A": ["a"] } }),
    says: "without a colon",
  },
  "mail.vendor_schedule of some plans": {
    bad: via("mail5", {}, { options: { deliverytime: "Wed, 04 Feb 2026 12:00:00 +0000" } }),
    good: via("mail5", {}, { options: { deliverytime: "Tue, 03 Feb 2026 12:00:00 +0000" } }),
    says: "only plans that keep messages for 7 days",
  },
  "mail.vendor_options": {
    bad: via("mail5", {}, { variables: { order: "a".repeat(16_400) } }),
    good: via("mail5", {}, { variables: { order: "a".repeat(16_000) } }),
  },
  "mail.vendor_attachment": {
    bad: via("mail6", { attachments: [named("Query.URL")] }),
    good: via("mail4", { attachments: [named("Query.URL")] }),
    says: "Amazon SES sends no .url files",
  },
  "mail.vendor_attachment at Resend": {
    bad: via("mail3", { attachments: [named("key.cer")] }),
    good: via("mail3", { attachments: [named("key.pem")] }),
    says: "Resend sends no .cer files",
  },
  "mail.vendor_attachment with a long name": {
    bad: via("mail6", { attachments: [named(`${"a".repeat(252)}.pdf`)] }),
    good: via("mail6", { attachments: [named(`${"a".repeat(251)}.pdf`)] }),
    says: "256 characters; at most 255",
  },
  "mail.vendor_schedule": {
    bad: via("mail7", {}, { scheduled_at: "2026-02-03T12:00:01Z" }),
    good: via("mail7", {}, { scheduled_at: "2026-02-03T12:00:00Z" }),
    says: "4 days ahead; at most 3",
  },
  "mail.vendor_schedule at Resend": {
    bad: via("mail3", {}, { scheduled_at: "2026-03-05T12:00:00Z" }),
    good: via("mail3", {}, { scheduled_at: "in 3 hours" }),
    says: "at most 30",
  },
  "mail.vendor_schedule at Mailgun": {
    bad: via("mail5", {}, { options: { deliverytime: "Sun, 08 Feb 2026 12:00:00 +0000" } }),
    good: via("mail5", {}, { options: { deliverytime: "Tue, 03 Feb 2026 12:00:00 +0000" } }),
    says: "at most 7",
  },
  "mail.vendor_schedule in the past": {
    bad: via("mail7", {}, { scheduled_at: "2026-01-31T11:59:59Z" }),
    good: via("mail7", {}, {}),
    says: "has passed",
  },
  "mail.vendor_substitutions": {
    bad: via("mail2", {}, { substitutions: { "-a-": "é".repeat(24_999) } }),
    good: via("mail2", {}, { substitutions: { "-a-": "é".repeat(24_998) } }),
    says: "50001 bytes; at most 50000",
  },
  "mail.vendor_recipients": {
    bad: via("mail5", { to: [{ email: "a@example.org" }, { email: "b@example.org" }] }),
    good: via("mail5", { to: [{ email: "a@example.org" }, { email: "b@example.org" }] }, {
      batch_index: 0,
    }),
    says: "Each of the 2 recipients",
  },
  "mail.template_failed": {
    bad: via("mail6", {}, { rendering_failure: "Attribute 'name' is not present" }),
    good: via("mail6", {}, { template: { name: "order", data: { name: "Ada" } } }),
    says: "Attribute 'name'",
  },
  "mail.template_missing": {
    bad: via("mail2", {}, { template_id: "d-1", template_missing: ["order.id"] }),
    good: via("mail2", {}, { template_id: "d-1", dynamic_template_data: { order: { id: 7 } } }),
    says: 'reads "order.id"',
  },
  "mail.template_unused": {
    bad: via("mail7", {}, { template_id: 3, template_unused: ["firstName"] }),
    good: via("mail7", {}, { template_id: 3, params: { first_name: "Ada" } }),
    says: 'does not read "firstName"',
  },
  "mail.template_data": {
    bad: via("mail2", {}, { dynamic_template_data: { name: "Ada" } }),
    good: via("mail2", {}, { template_id: "d-1", dynamic_template_data: { name: "Ada" } }),
    says: "without template_id",
  },
  "mail.template_data of a legacy template": {
    bad: via("mail2", {}, { template_id: "13b8f94f", dynamic_template_data: { name: "Ada" } }),
    good: via("mail2", {}, { template_id: "13b8f94f", substitutions: { "-name-": "Ada" } }),
    says: "legacy template",
  },
  "mail.template_errors": {
    bad: via("mail1", {}, { template_language: true }),
    good: via("mail1", {}, {
      template_language: true,
      template_error_reporting: { email: "ada@example.org" },
    }),
  },
  "mail.template_variable": {
    bad: via("mail1", { html: "<p>Dear {{var:name}}, {{var:order.id}}</p>" }, {
      template_language: true,
      variables: { order: { id: 1 } },
    }),
    good: via("mail1", { html: '<p>Dear {{var:name:"customer"}}, {{var:order.id}}</p>' }, {
      template_language: true,
      variables: { order: { id: 1 } },
    }),
    says: '"name" is not in Variables',
  },
  "mail.substitution": {
    bad: mail({ text: "Dear -Name-" }, { meta: { substitutions: { "-name-": "Ada" } } }),
    good: mail({ text: "Dear -name-" }, {
      meta: { substitutions: { "-name-": "Ada", "-id-": "1" }, custom_args: { order: "-id-" } },
    }),
    says: '"-name-" occurs neither',
  },
}, (id) => OF_VENDORS.test(id));
