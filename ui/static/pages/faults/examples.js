/** Example rules, one for each kind of provider. */

/** @import { FaultOutcome, FaultRule } from "../../lib/types.d.ts" */

/** @typedef {{ readonly title: string, readonly rule: FaultRule }} Example */

/** @type {readonly Example[]} */
const EXAMPLES = [
  {
    title: "The mail API answers 429 twice, then accepts the email",
    rule: { on: "mail/mail2", outcome: ["rate_limit", "rate_limit"], with: { retry_after: 2 } },
  },
  {
    title: "The mail server refuses one recipient",
    rule: {
      on: "mail/smtp",
      outcome: "no_mailbox",
      match: { argument: { contains: "<gone@example.org>" } },
    },
  },
  {
    title: "An SMS is accepted but never delivered",
    rule: { on: "sms/sms1", outcome: "undelivered", with: { error_code: 30003 } },
  },
  {
    title: "The chat accepts the message, but its response is lost",
    rule: { on: "chat/chat1", outcome: ["reset"], after: true },
  },
  {
    title: "The device has removed the app",
    rule: { on: "push/push1", outcome: "unregistered" },
  },
  {
    title: "An upload that must be repeated",
    rule: { on: "s3/http", outcome: ["slow_down"], match: { operation: "PutObject" } },
  },
  {
    title: "The first FTP upload finds no space",
    rule: { on: "files/ftp", outcome: ["no_space"] },
  },
  {
    title: "The partner cannot decrypt the first AS2 document",
    rule: { on: "as2/http", outcome: ["decryption_failed"] },
  },
  {
    title: "A third of all HL7 messages are refused, the same ones in every run",
    rule: { on: "hl7/mllp", outcome: "error", chance: 0.33, seed: "1" },
  },
  {
    title: "An SNMP notification is lost",
    rule: { on: "snmp/trap", outcome: ["drop"] },
  },
];

/**
 * Returns an example for each running provider or plugin; for a plugin without one, its first
 * outcome.
 * @param {readonly FaultOutcome[]} outcomes
 * @returns {readonly Example[]}
 */
export function examplesFor(outcomes) {
  const own = EXAMPLES.filter(({ rule: { on, outcome } }) =>
    outcomes.some((known) => known.on === on && [outcome].flat().includes(known.id))
  );
  const named = new Set(own.map(({ rule }) => pluginOf(rule.on)));
  const others = outcomes
    .filter(({ on }, at) =>
      !named.has(pluginOf(on)) &&
      at === outcomes.findIndex((one) => pluginOf(one.on) === pluginOf(on))
    )
    .map(({ on, id, about }) => ({ title: about, rule: { on, outcome: [id] } }));
  return [...own, ...others];
}

/** @param {string} on */
export function pluginOf(on) {
  return on.split("/", 1)[0] ?? "";
}
