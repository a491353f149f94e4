/**
 * A run as JUnit XML, in the form that Jenkins, GitLab and GitHub's actions read
 * (https://github.com/testmoapp/junitxml): a case for each expectation, and one for each finding of the checks.
 */
import type { ExpectationRecord } from "../expect/history.ts";
import type { Finding } from "../checks/check.ts";
import type { ReportedEvent, ReportedRun } from "./run.ts";
import { nameOfExpectation, placeOf, plural, shortened, titleOf } from "./words.ts";

/** Maximum number of findings with a case of their own. */
const MAX_FINDINGS = 10_000;
/** Longest text of a failure, and longest attribute, in characters. */
const MAX_TEXT = 16_384;
const MAX_ATTRIBUTE = 1000;
/** Longest title in the name of a case, in characters. */
const MAX_TITLE = 200;
/** Maximum characters of all findings: publishers read the whole file into memory. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Returns the XML document. */
export function toJunit(run: ReportedRun): string {
  const expectations = run.expectations.map(expectationCase);
  const checks = checkCases(run);
  const suites = [
    ...(expectations.length === 0 ? [] : [suite("expectations", expectations, run)]),
    suite("checks", checks, run),
  ];
  const all = [...expectations, ...checks];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: "standin", ...totals(all) })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function checkCases(run: ReportedRun): readonly Case[] {
  const cases: Case[] = [];
  let left = 0;
  let chars = 0;
  for (const event of run.events) {
    for (const finding of event.findings) {
      if (cases.length >= MAX_FINDINGS || chars >= MAX_CHARS) {
        left++;
        continue;
      }
      const found = findingCase(event, finding);
      chars += found.xml.length;
      cases.push(found);
    }
  }
  if (left > 0) {
    const message = `${plural(left, "further finding")} omitted`;
    const failure = { type: "error", message, text: message };
    cases.push(testCase({ name: message, classname: "checks" }, { seconds: 0, failure }));
  }
  return cases.length === 0 ? [nothingFound(run)] : cases;
}

interface Case {
  readonly xml: string;
  readonly failed: boolean;
  readonly seconds: number;
}

function totals(cases: readonly Case[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failed }) => failed).length,
    errors: 0,
    skipped: 0,
    time: secondsText(cases.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
}

function suite(
  name: string,
  cases: readonly Case[],
  { exportedAt, instance }: ReportedRun,
): string {
  // ISO 8601 without a zone, as the schema of Ant's reporter wants it.
  const timestamp = exportedAt.slice(0, 19);
  const about = {
    name,
    ...totals(cases),
    ...(timestamp === "" ? {} : { timestamp }),
    ...(instance === undefined ? {} : { hostname: instance }),
  };
  const lines = cases.map(({ xml }) => xml);
  return [`  <testsuite ${attributes(about)}>`, ...lines, "  </testsuite>"].join("\n");
}

function expectationCase(record: ExpectationRecord): Case {
  const seconds = record.duration_ms / 1000;
  const about = { name: nameOfExpectation(record), classname: "expectations" };
  return testCase(about, {
    seconds,
    ...(record.met ? {} : {
      failure: {
        type: "expectation",
        message: firstLine(record.error ?? "It was not met"),
        text: [
          record.error ?? "",
          `Expectation: ${JSON.stringify(record.expectation ?? "too long to keep")}`,
        ].join("\n\n"),
      },
    }),
  });
}

function findingCase({ event, provider }: ReportedEvent, finding: Finding): Case {
  const place = placeOf(finding);
  return testCase({
    name: `${finding.id}: ${shortened(titleOf(event), MAX_TITLE)} [${event.id}]`,
    classname: `checks.${event.plugin}`,
  }, {
    seconds: 0,
    failure: {
      type: finding.level,
      message: finding.message,
      text: [
        finding.message,
        ...(place === "" ? [] : [`Where: ${place}`]),
        `Item: ${shortened(event.summary, MAX_ATTRIBUTE)}`,
        `Event: ${event.id}, ${event.type}, ${provider}, ${event.received_at.toISOString()}`,
        ...(finding.source === undefined ? [] : [`Source: ${finding.source}`]),
      ].join("\n"),
    },
  });
}

/** Publishers refuse a report without any case. */
function nothingFound({ events, level }: ReportedRun): Case {
  const what = level === "error" ? "error" : `${level} or worse`;
  const name = `no finding of level ${what} in ${plural(events.length, "event")}`;
  return testCase({ name, classname: "checks" }, { seconds: 0 });
}

function testCase(
  about: { readonly name: string; readonly classname: string },
  { seconds, failure }: {
    readonly seconds: number;
    readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
  },
): Case {
  const opening = `    <testcase ${attributes({ ...about, time: secondsText(seconds) })}`;
  if (failure === undefined) return { xml: `${opening}/>`, failed: false, seconds };
  const { type, message, text } = failure;
  const xml = [
    `${opening}>`,
    `      <failure ${attributes({ message, type })}>${
      escapeXml(shortened(text, MAX_TEXT))
    }</failure>`,
    "    </testcase>",
  ].join("\n");
  return { xml, failed: true, seconds };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function secondsText(seconds: number): string {
  return seconds.toFixed(3);
}

/** Publishers show them side by side on one line, so no text may change the direction of the next. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => {
    const text = escapeXml(shortened(String(value), MAX_ATTRIBUTE))
      .replaceAll(/\p{Bidi_Control}/gu, "\ufffd")
      .replaceAll(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
    return `${name}="${text}"`;
  }).join(" ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes a text; characters that XML 1.0 does not allow (section 2.2) become U+FFFD. */
function escapeXml(text: string): string {
  return text.toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll(/[&<>"]/g, (char) => ENTITIES[char]!);
}
