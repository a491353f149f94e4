import type { CheckLevel, Finding } from "../../checks/model.ts";
import { CHECK_LEVELS } from "../../checks/check.ts";
import { ConfigError } from "../../errors.ts";
import type { CommandLine } from "../../options/flags.ts";
import { quote } from "../../options/given.ts";
import { didYouMean } from "../../options/suggest.ts";
import { placeOf } from "../../report/words.ts";
import { PROGRAM } from "../base/command.ts";
import type { CliIo } from "../base/io.ts";
import { switchOf } from "../base/settings.ts";
import { CHECK_JSON, LEVEL, NAMESPACE, PLUGIN } from "./flags.ts";
import { type Instance, readJson } from "./instance.ts";

/** Checking many events for the first time takes a while. */
const ANSWER_MS = 300_000;

/** Filters of the list that page or shape it: all events are checked. */
const NO_FILTERS = ["checks", "limit", "offset", "wait", "count", "timeout", "absent"];

interface CheckedEvent {
  readonly id: string;
  readonly type: string;
  readonly summary: string;
  readonly url: string;
}

/** Prints the findings of the events that the words select. Returns 1 if there are any. */
export async function runCheck(instance: Instance, io: CliIo, line: CommandLine): Promise<number> {
  const level = levelOf(line);
  const query = toQuery(line);
  query.set("checks", level);
  query.set("include_payload", "0");
  const events = await ask(instance, `/events?${query}`) as readonly CheckedEvent[];
  const checked: (CheckedEvent & { readonly checks: readonly Finding[] })[] = [];
  for (const { id, type, summary, url } of events.toReversed()) {
    const answer = await ask(instance, `/events/${id}/checks`) as { checks: readonly Finding[] };
    const least = CHECK_LEVELS.indexOf(level);
    const checks = answer.checks.filter((one) => CHECK_LEVELS.indexOf(one.level) <= least);
    checked.push({ id, type, summary, url, checks });
  }
  if (switchOf(line, CHECK_JSON)) io.stdout(JSON.stringify(checked, null, 2));
  else if (checked.length === 0) io.stdout("No findings");
  else for (const event of checked) io.stdout(textOf(event));
  return checked.length === 0 ? 0 : 1;
}

/** Returns the level of `--level`. Throws `ConfigError` for any other word. */
export function levelOf(line: CommandLine): CheckLevel {
  const given = line.texts[LEVEL.name]?.at(-1) ?? "warning";
  const level = CHECK_LEVELS.find((one) => one === given);
  if (level !== undefined) return level;
  const hint = didYouMean(given, CHECK_LEVELS, { what: "levels" });
  throw new ConfigError(`Cannot use --level ${quote(given)}: ${hint}`);
}

function toQuery(line: CommandLine): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of [PLUGIN, NAMESPACE]) {
    const value = line.texts[name]?.at(-1);
    if (value !== undefined) query.set(name, value);
  }
  for (const word of line.words) {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      throw new ConfigError(
        `Cannot read ${
          quote(word)
        }: expected a filter of the list, as ${PROGRAM} check type=mail.message subject=Invoice`,
      );
    }
    if (NO_FILTERS.includes(name)) {
      const instead = name === "checks" ? "; use --level" : "";
      throw new ConfigError(`Cannot use ${quote(name)}: it is not a filter of events${instead}`);
    }
    query.set(name, value);
  }
  return query;
}

function textOf(
  { id, type, summary, checks }: CheckedEvent & { readonly checks: readonly Finding[] },
): string {
  return [`${type} ${id}: ${summary}`, ...checks.map(lineOf)].join("\n");
}

function lineOf(finding: Finding): string {
  const { level, id, message } = finding;
  const place = placeOf(finding);
  return `  ${level.padEnd(7)} ${id}: ${message}${place === "" ? "" : ` (${place})`}`;
}

async function ask(instance: Instance, path: string): Promise<unknown> {
  const { status, body } = await instance.ask(path, { timeoutMs: ANSWER_MS });
  const answer = readJson(body);
  if (status < 300) return answer;
  const { error } = (answer ?? {}) as { readonly error?: string };
  throw new ConfigError(error ?? `Cannot check events of ${instance.base}: it answered ${status}`);
}
