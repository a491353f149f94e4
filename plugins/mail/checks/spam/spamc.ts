/**
 * Protocol of SpamAssassin's spamd, version 1.5: a request with header lines and a message, and a response of the same
 * form. https://svn.apache.org/repos/asf/spamassassin/trunk/spamd/PROTOCOL
 *
 * ```
 * REPORT SPAMC/1.5            SPAMD/1.1 0 EX_OK
 * Content-length: 1234        Content-length: 567
 *                             Spam: True ; 6.3 / 5.0
 * message
 *                             report
 * ```
 */
import { concat } from "../../../../core/bytes/concat.ts";
import { failure, type Result, success } from "../../../../core/result.ts";

/** A rule that matched. */
export interface SpamRule {
  readonly name: string;
  /** Negative for a sign of wanted mail. */
  readonly points: number;
  /** SpamAssassin's description of the rule. */
  readonly about: string;
}

/** SpamAssassin's report on a message. */
export interface SpamReport {
  readonly isSpam: boolean;
  readonly points: number;
  /** Spam threshold, in points. */
  readonly required: number;
  /** In the order of the report. */
  readonly rules: readonly SpamRule[];
}

const encoder = new TextEncoder();

/** Encodes a request for the report on a message. */
export function encodeReportRequest(message: Uint8Array): Uint8Array {
  const head = `REPORT SPAMC/1.5\r\nContent-length: ${message.length}\r\n\r\n`;
  return concat([encoder.encode(head), message]);
}

/** Parses a complete response to `REPORT`. Returns the reason for an error or a malformed response. */
export function parseReport(answer: string): Result<SpamReport, string> {
  const end = /\r?\n\r?\n/.exec(answer);
  const [first = "", ...lines] = answer.slice(0, end?.index).split(/\r?\n/);
  const [, code, words = ""] = /^SPAMD\/\d+\.\d+ (\d+) ?(.*)$/.exec(first) ?? [];
  if (code === undefined) return failure("it does not use the protocol of spamd");
  if (code !== "0") return failure(`it answered ${code} ${words.slice(0, 200)}`);
  const fields = new Map(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const [, verdict, points, required] = VERDICT.exec(fields.get("spam") ?? "") ?? [];
  if (end === null || verdict === undefined) {
    return failure("its response has no Spam field");
  }
  return success({
    isSpam: /^(true|yes)$/i.test(verdict),
    points: Number(points),
    required: Number(required),
    rules: rulesOf(answer.slice(end.index + end[0].length)),
  });
}

const VERDICT =
  /^(True|False|Yes|No)\s{0,9};\s{0,9}(-?\d{1,9}(?:\.\d{1,9})?)\s{0,9}\/\s{0,9}(-?\d{1,9}(?:\.\d{1,9})?)/i;

/** A row: ` 0.1 MISSING_MID            Missing Message-Id: header`. */
const RULE = /^\s{0,3}(-?\d{1,6}(?:\.\d{1,3})?)\s{1,3}([A-Z][A-Z0-9_]{1,80})\s+(\S.*)$/;

/** Reads the table of rules. A row without points continues the one above. */
function rulesOf(report: string): readonly SpamRule[] {
  const rules: SpamRule[] = [];
  let inTable = false;
  for (const line of report.split(/\r?\n/)) {
    if (/^-{3,} -{3,}/.test(line)) {
      inTable = true;
      continue;
    }
    if (!inTable) continue;
    const [, points, name = "", about = ""] = RULE.exec(line) ?? [];
    const last = rules.at(-1);
    if (points !== undefined) rules.push({ name, points: Number(points), about: about.trim() });
    else if (line.trim() === "") break;
    else if (last !== undefined) {
      rules[rules.length - 1] = { ...last, about: `${last.about} ${line.trim()}` };
    }
  }
  return rules;
}
