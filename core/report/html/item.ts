/** One event of a run as HTML. */
import type { Finding } from "../../checks/check.ts";
import type { CapturedEvent, HeaderPairs } from "../../events/event.ts";
import type { Parts } from "../parts.ts";
import type { ReportedEvent } from "../run.ts";
import { labelOf, placeOf, shortened } from "../words.ts";
import { captured, Markup, markup } from "./markup.ts";
import { factsMarkup, type FileRoom, folded, partMarkup } from "./parts.ts";

/** Longest payload and raw request, in characters. */
const MAX_SOURCE = 65_536;
/** Longest title of a row, in characters. */
const MAX_TITLE = 200;
/** Text of an HTML body that can be searched, in characters. */
const MAX_SEARCHED = 20_000;

/** Returns an item that can be opened. */
export async function itemMarkup(
  reported: ReportedEvent,
  { parts, text }: Parts,
  room: FileRoom,
): Promise<Markup> {
  const { event, findings } = reported;
  const shown: (Markup | undefined)[] = [];
  for (const part of parts) shown.push(await partMarkup(part, room));
  const flag = findings.length > 0 && new Markup(" data-findings");
  return markup`<details class="item" id="e-${event.id}"${flag}><summary>${
    summaryOf(reported)
  }</summary>
<div class="body">${shown.filter((part) => part !== undefined)}${findings.map(findingMarkup)}${
    folded("Payload", sourceOf(JSON.stringify(event.payload, shownMember, 2) ?? ""))
  }${rawMarkup(event)}${eventFacts(reported)}<p hidden>${
    text.slice(0, MAX_SEARCHED)
  }</p></div></details>
`;
}

function eventFacts({ event, provider }: ReportedEvent): Markup | undefined {
  return factsMarkup({
    rows: [
      ["Event", event.id],
      ["Type", event.type],
      ["Provider", provider],
      ["Namespace", event.namespace],
      ["Received", event.received_at.toISOString()],
      ["Sent by", event.raw.peer_addr],
    ],
  });
}

function summaryOf({ event, provider, findings }: ReportedEvent): Markup {
  const { title, snippet } = labelOf(event);
  const { to = [], from } = event.summary_parts;
  const people = [from, to.join(", ")].filter((part) => part !== undefined && part !== "");
  const at = event.received_at.toISOString();
  const spans = [["title", title], ["snippet", snippet], ["people", people.join(" → ")]] as const;
  const [first, second, third] = spans.map(([name, text]) =>
    text === ""
      ? undefined
      : markup`<span class="${name}">${captured(shortened(text, MAX_TITLE))}</span>`
  );
  return markup`<time datetime="${at}" title="${at}">${
    at.slice(11, 19)
  }</time><span class="chip" title="${event.type}">${provider}</span>${first}${second}${
    findings.length > 0 && badge(findings)
  }${third}`;
}

function badge(findings: readonly Finding[]): Markup {
  const [worst] = findings;
  return markup`<span class="badge ${worst!.level}">${findings.length} ${
    findings.length === 1 ? "finding" : "findings"
  }</span>`;
}

function findingMarkup(finding: Finding): Markup {
  const { level, id, message, where, source } = finding;
  const place = placeOf(finding);
  const about = markup`<span class="soft">${id}${place !== "" && markup`, ${captured(place)}`}${
    isPage(source) && markup`, <a href="${source}" rel="noreferrer noopener">source</a>`
  }</span>`;
  const excerpt = where?.marked !== undefined &&
    markup`<pre>${captured(where.before ?? "")}<mark>${
      // Something is missing there.
      where.marked === "" ? "‸" : captured(where.marked)}</mark>${
      captured(where.after ?? "")
    }</pre>`;
  return markup`<div class="finding ${level}"><p><strong>${level}</strong> ${
    captured(message)
  } ${about}</p>${excerpt}</div>`;
}

function isPage(source: string | undefined): source is string {
  return source?.startsWith("https://") === true;
}

function rawMarkup({ raw }: Pick<CapturedEvent, "raw">): Markup {
  const { method, path, headers = [], text, body } = raw;
  const line = method === undefined ? "" : `${method} ${path ?? ""}\n`;
  const fields = withoutSecrets(headers).map(([name, value]) => `${name}: ${value}\n`).join("");
  const content = text
    ? sourceOf(new TextDecoder().decode(body.subarray(0, 4 * MAX_SOURCE)))
    : `(${body.length} bytes)`;
  const head = `${line}${fields}`;
  return folded("As received", head === "" ? content : `${head}\n${content}`);
}

/** Fields whose values let somebody act as the application: a report is often published. */
const SECRET =
  /^(?:authorization|proxy-authorization|cookie|.*(?:token|secret|password|api-?key).*)$/i;

function withoutSecrets(headers: HeaderPairs): HeaderPairs {
  return headers.map(([name, value]) => [name, SECRET.test(name) ? hidden(value) : value]);
}

function hidden(value: string): string {
  return `${/^(?:Basic|Bearer|Digest) /i.exec(value)?.[0] ?? ""}…`;
}

/** Some payloads repeat the header: the same is hidden there. */
function shownMember(key: string, value: unknown): unknown {
  if (key !== "headers" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET.test(name) ? (typeof member === "string" ? hidden(member) : "…") : member,
    ]),
  );
}

function sourceOf(text: string): string {
  const more = text.length - MAX_SOURCE;
  return more > 0 ? `${text.slice(0, MAX_SOURCE)}\n… more` : text;
}
