import { assertEquals } from "@std/assert";
import { readSend } from "./request.ts";

const PLAIN = {
  personalizations: [{ to: [{ email: "a@example.com" }] }],
  from: { email: "s@example.com" },
  subject: "s",
  content: [{ type: "text/plain", value: "t" }],
};

/** Paths of the faults of a request. */
function faultsOf(body: unknown): readonly string[] {
  const request = readSend(body, { nowMs: Date.parse("2026-01-02T03:04:05Z") });
  return request.ok ? [] : request.refusal.violations.map(({ field }) => field);
}

const ROWS: readonly (readonly [title: string, body: unknown, fields: readonly string[]])[] = [
  ["a non-ASCII category", { ...PLAIN, categories: ["Grüße"] }, ["categories"]],
  ["an IP pool name that is too short", { ...PLAIN, ip_pool_name: "x" }, ["ip_pool_name"]],
  ["an IP pool name that is too long", { ...PLAIN, ip_pool_name: "x".repeat(65) }, [
    "ip_pool_name",
  ]],
  ["settings whose texts are not strings", {
    ...PLAIN,
    mail_settings: { footer: { text: 1, html: true }, spam_check: { post_to_url: 1 } },
    tracking_settings: {
      open_tracking: { substitution_tag: 1 },
      subscription_tracking: { text: 1, html: 1, substitution_tag: 1 },
      ganalytics: {
        utm_source: 1,
        utm_medium: 1,
        utm_term: 1,
        utm_content: 1,
        utm_campaign: 1,
      },
    },
  }, [
    "mail_settings.footer.text",
    "mail_settings.footer.html",
    "mail_settings.spam_check.post_to_url",
    "tracking_settings.open_tracking.substitution_tag",
    "tracking_settings.subscription_tracking.text",
    "tracking_settings.subscription_tracking.html",
    "tracking_settings.subscription_tracking.substitution_tag",
    "tracking_settings.ganalytics.utm_source",
    "tracking_settings.ganalytics.utm_medium",
    "tracking_settings.ganalytics.utm_term",
    "tracking_settings.ganalytics.utm_content",
    "tracking_settings.ganalytics.utm_campaign",
  ]],
  ["incomplete settings", {
    ...PLAIN,
    mail_settings: { bcc: { enable: true }, spam_check: { enable: true } },
  }, [
    "mail_settings.bcc.email",
    "mail_settings.spam_check.post_to_url",
    "mail_settings.spam_check.threshold",
  ]],
  ["settings with invalid values", {
    ...PLAIN,
    mail_settings: {
      bcc: { enable: true, email: "x" },
      spam_check: { enable: true, post_to_url: "example.com", threshold: 11 },
    },
  }, [
    "mail_settings.bcc.email",
    "mail_settings.spam_check.post_to_url",
    "mail_settings.spam_check.threshold",
  ]],
];

for (const [title, body, fields] of ROWS) {
  Deno.test(`SendGrid refuses ${title}`, () => assertEquals(faultsOf(body), fields));
}

Deno.test("settings that are off need nothing, and those that are on need no more", () => {
  const off = { bcc: { enable: false }, spam_check: { enable: false, threshold: 3 } };
  assertEquals(faultsOf({ ...PLAIN, mail_settings: off }), []);
  const on = {
    bcc: { enable: true, email: "b@example.com" },
    spam_check: { enable: true, threshold: 10, post_to_url: "HTTPS://example.com" },
  };
  const names = { ip_pool_name: "x".repeat(64), categories: ["a b~"] };
  assertEquals(faultsOf({ ...PLAIN, ...names, mail_settings: on }), []);
});
