/** Cost of checking a newsletter: a thousand different ones, made with MJML, Maizzle and react-email. */
import { parseDocument } from "htmlparser2";
import { CHECKS } from "../../plugins/mail/checks/mod.ts";
import { findingsOf } from "../support/checks.ts";
import { median, report } from "./measure.ts";
import { loadNewsletters } from "./newsletters.ts";

const COUNT = 1000;
const AIM_MS = 10;

/** Cost of one newsletter. */
interface Checked {
  readonly library: string;
  readonly ms: number;
  readonly parseMs: number;
  readonly findings: number;
  readonly kb: number;
}

const made = await loadNewsletters(COUNT);
const checked: Checked[] = [];
for (const { library, html } of made) {
  const payload = {
    from: { email: "ada@example.org" },
    subject: "News of the engine",
    html,
    text: "The engine weaves patterns",
  };
  const startMs = performance.now();
  const { length: findings } = await findingsOf(CHECKS, { provider: "mail2", payload });
  const ms = performance.now() - startMs;
  const parseStartMs = performance.now();
  parseDocument(html);
  const parseMs = performance.now() - parseStartMs;
  checked.push({ library, ms, parseMs, findings, kb: html.length / 1024 });
}

const different = new Set(made.map(({ html }) => html)).size;
if (different !== COUNT) throw new Error(`Made ${COUNT} newsletters: ${different} are different`);

for (const library of [...new Set(checked.map((one) => one.library)), "all"]) {
  const these = checked.filter((one) => library === "all" || one.library === library);
  const times = these.map(({ ms }) => ms);
  const sizes = these.map(({ kb }) => kb);
  const middle = median(times);
  const kb = `${median(sizes).toFixed(0)} KB in the middle, ${Math.max(...sizes).toFixed(0)} KB`;
  report(`${library}, newsletters`, `${these.length}, ${kb} at most`);
  const findings = these.reduce((sum, one) => sum + one.findings, 0);
  report(`${library}, findings of each`, (findings / these.length).toFixed(1));
  report(`${library}, check, median`, `${middle.toFixed(2)} ms`, {
    text: `< ${AIM_MS} ms`,
    met: middle < AIM_MS,
  });
  const late = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  report(`${library}, 99 of 100 in`, `${late.toFixed(2)} ms`);
  const ratio = middle / median(these.map(({ parseMs }) => parseMs));
  report(`${library}, against parsing into a tree`, `${ratio.toFixed(1)} times`);
}
