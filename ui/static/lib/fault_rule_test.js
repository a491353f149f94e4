import { assertEquals, assertThrows } from "@std/assert";
import { outcomesAt, paramsOf, phasesOf, toDraft, toRule } from "./fault_rule.js";

/** @import { FaultOutcome } from "./types.d.ts" */

/** @type {readonly FaultOutcome[]} */
const OUTCOMES = [
  {
    on: "mail/mail2",
    id: "rate_limit",
    about: "",
    source: "",
    phases: ["capture"],
    params: { retry_after: { about: "", schema: { type: "integer" } } },
  },
  { on: "mail/smtp", id: "reset", about: "", source: "", phases: ["data", "rcpt"], params: {} },
  { on: "mail/smtp", id: "greylist", about: "", source: "", phases: ["rcpt"], params: {} },
  { on: "mail/mail2", id: "reset", about: "", source: "", phases: ["capture"], params: {} },
  { on: "mailing/list", id: "slow", about: "", source: "", phases: ["capture"], params: {} },
];

Deno.test("a rule becomes the fields of the form and comes back the same", () => {
  const rules = [
    { on: "mail", outcome: "reset" },
    { on: "mail", outcome: ["rate_limit"], with: { retry_after: 2 } },
    { on: "mail", outcome: ["rate_limit", "reset"], after: true },
    { on: "mail/smtp", delay: "250ms" },
    {
      name: "all",
      on: "mail/smtp",
      phase: "rcpt",
      match: {
        a: "text",
        b: { contains: "part" },
        c: { regex: "^x" },
        d: { exists: true },
        e: { exists: false },
        f: 17,
        g: { not: "x", contains: 3 },
        h: { equals: { x: 1 } },
        i: null,
      },
      namespace: "t17",
      skip: 1,
      outcome: "greylist",
      chance: 0.3,
      seed: "7",
      times: 5,
      delay: "1s",
      ttl: "5m",
    },
  ];
  for (const rule of rules) {
    assertEquals(toRule(toDraft(rule), outcomesAt(OUTCOMES, rule.on)), rule);
  }
});

Deno.test("what is not a number goes to the API as it is, which says so", () => {
  const draft = toDraft({ on: "mail", outcome: "rate_limit" });
  const fields = { ...draft.fields, skip: "two", times: " 3 ", chance: ".5" };
  const params = { retry_after: "soon", bytes: "1" };
  assertEquals(toRule({ ...draft, fields, params }, outcomesAt(OUTCOMES, "mail")), {
    on: "mail",
    skip: "two",
    outcome: "rate_limit",
    with: { retry_after: "soon" },
    chance: 0.5,
    times: 3,
  });
});

Deno.test("conditions on one place are joined, and none is lost", () => {
  const draft = toDraft({ on: "mail", outcome: "reset" });
  /** @param {readonly import("./fault_rule.js").Row[]} match */
  const matchOf = (match) => toRule({ ...draft, match }, OUTCOMES).match;
  const starts = { place: "a", how: /** @type {const} */ ("regex"), value: "^x" };
  assertEquals(
    matchOf([starts, { place: "a", how: "contains", value: "y" }, {
      place: "",
      how: "equals",
      value: "",
    }]),
    { a: { regex: "^x", contains: "y" } },
  );
  assertThrows(() => matchOf([starts, starts]), RangeError, '"a" has "regex" twice');
  assertThrows(() => matchOf([{ place: "a", how: "json", value: "{" }]), RangeError, "JSON");
});

Deno.test("a plugin has the outcomes of its providers, each once", () => {
  const mail = outcomesAt(OUTCOMES, "mail");
  assertEquals(mail.map(({ id }) => id), ["rate_limit", "reset", "greylist"]);
  assertEquals(phasesOf(mail, []), ["capture", "data", "rcpt"]);
  assertEquals(phasesOf(mail, ["greylist", "reset"]), ["rcpt"]);
  assertEquals(phasesOf(outcomesAt(OUTCOMES, "mail/smtp"), ["reset"]), ["data", "rcpt"]);
  assertEquals(paramsOf(mail, ["reset", "rate_limit"]).map(({ name }) => name), ["retry_after"]);
});
