import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { BlobStore } from "../blobs/blob.ts";
import type { Finding } from "../checks/check.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { ExpectationRecord } from "../expect/history.ts";
import { silentLogger } from "../log.ts";
import type { AnyPlugin } from "../plugin.ts";
import { toHtml } from "./html/page.ts";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import type { ReportPart } from "./part.ts";
import type { ReportedEvent, ReportedRun } from "./run.ts";
import { labelOf, nameOfExpectation } from "./words.ts";

const HOSTILE = `]]>&amp;<b onclick='x'>"\`|*_[x](http://evil.example)\u0000\ud800@all\n# head`;

const ID = "01a2070ee1bf00004ee5dc69";

function event(about: Partial<CapturedEvent> = {}): ReportedEvent["event"] {
  return {
    id: ID,
    plugin: "mail",
    provider: "mail2",
    type: "mail.message",
    received_at: new Date("2026-11-23T06:00:00Z"),
    summary: "a -> b: Hello",
    summary_parts: { from: "a@example.com", to: ["b@example.org"], title: "Hello" },
    meta: {},
    payload: {},
    raw: { transport: "http", text: true, body: new Uint8Array() },
    blobs: [],
    ...about,
  };
}

const finding = (about: Partial<Finding> = {}): Finding => ({
  id: "mail.subject",
  level: "warning",
  message: "Too long",
  ...about,
});

const expectation = (about: Partial<ExpectationRecord> = {}): ExpectationRecord => ({
  id: ID,
  started_at: "2026-11-23T06:00:00.000Z",
  duration_ms: 1234,
  expectation: { type: "mail.message" },
  met: true,
  count: 1,
  events: [ID],
  ...about,
});

const BLOBS = { read: () => Promise.resolve(new TextEncoder().encode("GIF89a!")) };

function run(about: Partial<ReportedRun> = {}): ReportedRun {
  return {
    exportedAt: "2026-11-23T07:00:00.000Z",
    level: "warning",
    events: [{ event: event(), provider: "SendGrid (mail2)", findings: [] }],
    expectations: [],
    blobs: BLOBS as unknown as BlobStore,
    ...about,
  };
}

const hostileRun = () =>
  run({
    instance: HOSTILE,
    events: [{
      event: event({
        summary: HOSTILE,
        summary_parts: { from: HOSTILE, to: [HOSTILE], title: HOSTILE, snippet: HOSTILE },
        namespace: HOSTILE,
        payload: {
          text: HOSTILE,
          headers: { "x-api-key": "sesame", cookie: ["sesame"], authorization: "Bearer sesame" },
        },
        raw: {
          transport: "http",
          text: true,
          method: "POST",
          path: `/${HOSTILE}`,
          headers: [["X-Api-Key", "sesame"], ["Authorization", "Basic sesame"], ["X", HOSTILE]],
          body: new TextEncoder().encode(HOSTILE),
        },
      }),
      provider: HOSTILE,
      findings: [finding({
        message: HOSTILE,
        where: { part: HOSTILE, path: HOSTILE, before: HOSTILE, marked: HOSTILE, after: HOSTILE },
        source: "javascript:alert(1)",
      })],
    }],
    expectations: [
      expectation({ name: HOSTILE, met: false, error: HOSTILE, expectation: { x: HOSTILE } }),
    ],
  });

/** A plugin whose items have these parts. */
function showing(parts: readonly ReportPart[]): readonly AnyPlugin[] {
  const report = () => Promise.resolve({ parts: () => parts });
  return [{ id: "mail", providers: [], report } as unknown as AnyPlugin];
}

const pageOf = (about: ReportedRun, parts: readonly ReportPart[] = []) =>
  toHtml(about, { plugins: showing(parts), log: silentLogger });

Deno.test("JUnit has a case for each expectation and each finding", () => {
  const xml = toJunit(run({
    events: [{ event: event(), provider: "SendGrid (mail2)", findings: [finding()] }],
    expectations: [
      expectation({ name: "welcome" }),
      expectation({ met: false, error: "No\nmail" }),
    ],
  }));
  assertStringIncludes(xml, '<testsuites name="standin" tests="3" failures="2"');
  assertStringIncludes(xml, '<testsuite name="expectations" tests="2" failures="1"');
  assertStringIncludes(xml, '<testcase name="welcome" classname="expectations" time="1.234"/>');
  assertStringIncludes(xml, '<failure message="No" type="expectation">No\nmail');
  assertStringIncludes(
    xml,
    `<testcase name="mail.subject: Hello [${ID}]" classname="checks.mail" time="0.000">`,
  );
});

Deno.test("JUnit reports a run without findings", () => {
  const xml = toJunit(run());
  assertStringIncludes(xml, 'tests="1" failures="0"');
  assertStringIncludes(xml, "no finding of level warning or worse in 1 event");
  assertStringIncludes(toJunit(run({ events: [], level: "error" })), "level error in 0 events");
});

Deno.test("JUnit output is bounded, and says what it omits", () => {
  const findings = Array.from({ length: 500 }, () => finding());
  const one = { event: event(), provider: "p", findings };
  const xml = toJunit(run({ events: Array.from({ length: 21 }, () => one) }));
  assertStringIncludes(xml, 'tests="10001" failures="10001"');
  assertStringIncludes(xml, "500 further findings omitted");
});

Deno.test("no text can break out of its place in JUnit", () => {
  const xml = toJunit(hostileRun());
  assertEquals([...xml.matchAll(/<(?!\/?(?:testsuites?|testcase|failure|\?xml)[ >])/g)].length, 0);
  assertEquals(/[^\P{Cc}\n]/u.test(xml), false);
  assert(xml.isWellFormed());
  assertStringIncludes(xml, "&#10;# head");
});

Deno.test("Markdown starts with a summary line, followed by tables", () => {
  const text = toMarkdown(run({
    instance: "ci 7",
    events: [{ event: event(), provider: "SendGrid (mail2)", findings: [finding()] }],
    expectations: [expectation(), expectation({ met: false, error: "No mail" })],
  }));
  assertStringIncludes(text, "## Standin: ci 7");
  assertStringIncludes(text, "1 item captured; **1 of 2 expectations not met**; 1 warning.");
  assertStringIncludes(text, "- ❌ mail.message\n\n  ```text\n  No mail\n  ```");
  assertStringIncludes(
    text,
    "| warning | mail.subject | Too long |  | Hello | SendGrid (mail2) |",
  );
  assertStringIncludes(text, "| 06:00:00 | SendGrid (mail2) | b\\@example.org | Hello |");
  assertStringIncludes(toMarkdown(run({ events: [] })), "0 items captured; no expectation ran");
});

Deno.test("no text can break out of its place in Markdown", () => {
  const text = toMarkdown(hostileRun());
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  for (const row of rows) assert([6, 4].includes(row.split(/(?<!\\)\|/).length - 2), row);
  const outside = text.replaceAll(/^ {2}(`{3,})text\n[^]*?\n {2}\1$/gm, "");
  assertEquals(/(?<!\\)[<`@[]/.test(outside.replaceAll(/<\/?(?:details|summary)>/g, "")), false);
  assertEquals(/^# head/m.test(outside), false);
});

Deno.test("Markdown is limited in size", () => {
  const one = { event: event({ summary_parts: { title: "x".repeat(10_000) } }), provider: "p" };
  const events = Array.from({ length: 5000 }, () => ({ ...one, findings: [finding()] }));
  const error = "e".repeat(8192);
  const expectations = Array.from({ length: 2000 }, () => expectation({ met: false, error }));
  assert(toMarkdown(run({ events, expectations })).length < 500_000);
});

Deno.test("no text can break out of its place in the page, which holds no secret from a header", async () => {
  const file = { id: "b1", size: 7, content_type: HOSTILE, filename: HOSTILE };
  const page = await pageOf(hostileRun(), [
    { kind: "facts", rows: [[HOSTILE, HOSTILE]] },
    { kind: "text", label: HOSTILE, text: HOSTILE },
    { kind: "text", label: HOSTILE, text: HOSTILE, folded: true },
    { kind: "page", label: HOSTILE, html: `"><script>alert(1)</script>` },
    { kind: "message", from: HOSTILE, text: HOSTILE },
    { kind: "message", text: [{ text: HOSTILE }, { look: "strong", text: HOSTILE }] },
    { kind: "notice", app: HOSTILE, title: HOSTILE, text: HOSTILE },
    { kind: "table", label: HOSTILE, columns: [HOSTILE], rows: [[HOSTILE]] },
    { kind: "file", name: HOSTILE, type: HOSTILE, blob: file as never },
  ]);
  assertEquals(page.match(/<script/g)?.length, 1);
  assertEquals(page.match(/<iframe/g)?.length, 1);
  assertEquals(/<b |onclick='/.test(page), false);
  assertEquals(/[^\P{Cc}\n\t]/u.test(page), false);
  assertEquals(page.includes("javascript:"), false);
  assertEquals(page.includes("sesame"), false);
  assertStringIncludes(page, "Authorization: Basic …");
  assertStringIncludes(page, "data:image/gif;base64,");
  assertStringIncludes(page, `srcdoc="&quot;&gt;&lt;script&gt;`);
});

Deno.test("the page's policy allows only its own script", async () => {
  const page = await pageOf(run());
  const [, script = ""] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)),
  );
  assertStringIncludes(page, `script-src &#39;sha256-${digest.toBase64()}&#39;`);
  assertStringIncludes(page, "default-src &#39;none&#39;; ");
  assertEquals(/(?:src|href)="(?!data:|#)/.test(page), false);
});

Deno.test("JUnit is bounded whatever the length of a title or a message", () => {
  const long = "<".repeat(100_000);
  const one = {
    event: event({ summary: long, summary_parts: { title: long } }),
    provider: "p",
    findings: Array.from({ length: 500 }, () => finding({ message: long })),
  };
  const xml = toJunit(run({ events: [one, one, one, one] }));
  assert(xml.length < 20_000_000, `${xml.length} characters`);
  assertStringIncludes(xml, "further findings omitted");
  assertStringIncludes(xml, `… [${ID}]`);
});

Deno.test("no title reverses the direction of the text shown beside it", () => {
  const title = "\u202egnp.tfel\u2066";
  const about = { event: event({ summary_parts: { title } }), provider: "p" };
  const xml = toJunit(run({ events: [{ ...about, findings: [finding({ message: title })] }] }));
  assertEquals(/testcase [^>]*\p{Bidi_Control}/u.test(xml), false);
  assertEquals(/message="[^"]*\p{Bidi_Control}/u.test(xml), false);
});

Deno.test("a summary fits in 1 MiB whatever its content", () => {
  for (const text of ["\u4e00".repeat(9000), "@a".repeat(4500), "$&".repeat(4500)]) {
    const summary_parts = { title: text, snippet: text, to: [text] };
    const one = { event: event({ summary: text, summary_parts }), provider: text };
    const findings = [finding({ id: text, message: text, where: { part: text, path: text } })];
    const events = Array.from({ length: 300 }, () => ({ ...one, findings }));
    const record = expectation({ name: text.slice(0, 200), met: false, error: text });
    const expectations = Array.from({ length: 300 }, () => record);
    const markdown = toMarkdown(run({ instance: text, events, expectations }));
    assert(new TextEncoder().encode(markdown).length < 1_000_000);
    assertStringIncludes(markdown, "more");
  }
});

Deno.test("no text mentions a user or an issue", () => {
  const title = "@octocat fixes #12 and owner/repo#7";
  const text = toMarkdown(run({
    events: [{ event: event({ summary_parts: { title } }), provider: "p", findings: [] }],
  }));
  // CommonMark 0.31.2: an entity becomes text, and a backslash before punctuation is removed.
  const shown = text.replaceAll("&#8203;", "\u200b").replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "");
  assertEquals(/(?<!\w)@\w|#\w/.test(shown), false, shown);
});

Deno.test("files and items are limited in size, and the report says what it omits", async () => {
  const blob = { id: "b1", size: 2 ** 21, content_type: "x/y" };
  const large: ReportPart = { kind: "file", name: "large", blob: blob as never };
  assertStringIncludes(await pageOf(run(), [large]), "too large for this report");
  const page: ReportPart = { kind: "page", label: "HTML", html: "x".repeat(5_000_000) };
  assertStringIncludes(await pageOf(run(), [page]), "Omitted: it has 5000000 characters");
  const one = { event: event(), provider: "p", findings: [] };
  const many = run({ events: Array.from({ length: 2005 }, () => one) });
  assertStringIncludes(await pageOf(many), "5 older items omitted");
});

Deno.test("an item that its plugin cannot present still has its payload", async () => {
  const report = () => Promise.reject(new Error("no"));
  const plugins = [{ id: "mail", providers: [], report } as unknown as AnyPlugin];
  const about = run({
    events: [{ event: event({ payload: { odd: "here" } }), provider: "p", findings: [] }],
  });
  assertStringIncludes(await toHtml(about, { plugins, log: silentLogger }), "&quot;odd&quot;");
});

Deno.test("an expectation without a name is labelled by its conditions", () => {
  const named = (asked: unknown, name?: string) =>
    nameOfExpectation(expectation({ expectation: asked, ...(name === undefined ? {} : { name }) }));
  assertEquals(named({ type: "sms.message" }, "a code"), "a code");
  assertEquals(
    named({ type: "sms.message", to: "+1", none: true }),
    'sms.message; to = "+1"; none',
  );
  assertEquals(named({ order: [{}, {}], timeout: "5s" }), "2 in order");
  assertEquals(named({ count: { min: 2 }, match: { n: 1 } }), 'n = 1; count {"min":2}');
  assertEquals(named({}), "any event");
  assertEquals(named(undefined), "expectation");
});

Deno.test("a row starts with the text when the title repeats the recipient", () => {
  const chat = { summary: "s", summary_parts: { to: ["#a"], title: "#a", snippet: "Hello" } };
  assertEquals(labelOf(chat), { title: "Hello", snippet: "" });
  assertEquals(labelOf({ summary: "s", summary_parts: {} }), { title: "s", snippet: "" });
  const mail = { summary: "s", summary_parts: { to: ["b"], title: "Hi", snippet: "Dear" } };
  assertEquals(labelOf(mail), { title: "Hi", snippet: "Dear" });
});
