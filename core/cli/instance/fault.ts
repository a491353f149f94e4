import type { FaultRecord } from "../../faults/model.ts";
import { ConfigError } from "../../errors.ts";
import type { CommandLine } from "../../options/flags.ts";
import { quote } from "../../options/given.ts";
import { didYouMean } from "../../options/suggest.ts";
import { type NamedPlugin, shownPlace } from "../../provider_names.ts";
import { type CommandContext, PROGRAM } from "../base/command.ts";
import type { CliIo } from "../base/io.ts";
import { switchOf } from "../base/settings.ts";
import { AFTER, JSON_FLAG, MATCH, NUMBERS, TEXTS, WITH } from "./flags.ts";
import { type Instance, readJson } from "./instance.ts";

const ANSWER_MS = 10_000;

const VERBS = ["add", "list", "clear"] as const;

/** Adds, lists or removes the faults of an instance. */
export async function runFault(
  instance: Instance,
  { io, plugins }: Pick<CommandContext, "io" | "plugins">,
  line: CommandLine,
): Promise<number> {
  const [verb = "", ...words] = line.words;
  switch (verb) {
    case "add":
      return await add(instance, io, { line, words });
    case "list":
      checkWords(verb, words, 0);
      return await list(instance, { io, plugins }, switchOf(line, JSON_FLAG));
    case "clear":
      checkWords(verb, words, 1);
      return await clear(instance, io, words[0]);
  }
  const hint = didYouMean(verb, VERBS, { what: "words" });
  throw new ConfigError(`Cannot use ${PROGRAM} fault ${quote(verb)}: ${hint}`);
}

function checkWords(verb: string, words: readonly string[], most: number): void {
  if (words.length <= most) return;
  const taken = most === 0 ? "no further word" : "one id at most";
  throw new ConfigError(
    `Cannot use ${PROGRAM} fault ${verb} ${words.join(" ")}: it takes ${taken}`,
  );
}

async function add(
  instance: Instance,
  io: CliIo,
  { line, words }: { line: CommandLine; words: readonly string[] },
): Promise<number> {
  const [on, outcome] = words;
  if (on === undefined) {
    throw new ConfigError(
      `Cannot add a fault without a provider, as in ${PROGRAM} fault add mail/mail2 rate_limit`,
    );
  }
  const outcomes = outcome?.split(",");
  const rule = {
    on,
    ...(outcomes === undefined ? {} : { outcome: outcomes.length === 1 ? outcomes[0] : outcomes }),
    ...Object.fromEntries(TEXTS.flatMap(({ name }) => entry(name, line.texts[name]?.at(-1)))),
    ...Object.fromEntries(
      NUMBERS.flatMap(({ name }) => entry(name, toValue(line.texts[name]?.at(-1)))),
    ),
    ...Object.fromEntries([MATCH, WITH].flatMap(({ name }) => entry(name, pairs(line, name)))),
    ...(switchOf(line, AFTER) ? { after: true } : {}),
  };
  const answer = await ask(instance, "/faults", { method: "POST", body: JSON.stringify(rule) });
  const { id, name } = answer as FaultRecord;
  io.stdout(`Added fault ${id}, "${name}"`);
  return 0;
}

function entry(name: string, value: unknown): [string, unknown][] {
  return value === undefined ? [] : [[name, value]];
}

/** Returns the JSON value; the text itself if it is not JSON. */
function toValue(given: string | undefined): unknown {
  try {
    return given === undefined ? undefined : JSON.parse(given);
  } catch {
    return given;
  }
}

/** `a=1` and `b=c` as an object; a path may have equal signs in brackets. */
function pairs(line: CommandLine, name: string): Readonly<Record<string, unknown>> | undefined {
  const texts = line.texts[name];
  if (texts === undefined) return undefined;
  return Object.fromEntries(texts.map((given) => {
    const [, key, value] = /^((?:\[[^\]]*\]|[^=[\]])+)=(.*)$/s.exec(given) ?? [];
    if (key === undefined) {
      throw new ConfigError(`Cannot read --${name} ${quote(given)}: expected name=value`);
    }
    return [key, toValue(value)];
  }));
}

async function list(
  instance: Instance,
  { io, plugins }: Pick<CommandContext, "io" | "plugins">,
  asJson: boolean,
): Promise<number> {
  const answer = await ask(instance, "/faults", {});
  const { faults } = answer as { faults: readonly FaultRecord[] };
  if (asJson) io.stdout(JSON.stringify(answer, null, 2));
  else if (faults.length === 0) io.stdout("No faults");
  else for (const fault of faults) io.stdout(lineOf(fault, plugins));
  return 0;
}

function lineOf(
  { id, name, on, phase, outcome, hits, spent, from }: FaultRecord,
  plugins: readonly NamedPlugin[],
): string {
  const what = outcome === undefined ? "delay" : [outcome].flat().join(", ");
  const provider = shownPlace(on, plugins);
  const where = phase === undefined ? provider : `${provider} ${phase}`;
  const notes = [`${hits} ${hits === 1 ? "hit" : "hits"}`, spent ? "spent" : "", from];
  return `${id}  ${name}  ${where}: ${what}  (${notes.filter(Boolean).join(", ")})`;
}

async function clear(instance: Instance, io: CliIo, id: string | undefined): Promise<number> {
  const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
  await ask(instance, path, { method: "DELETE" });
  io.stdout(
    id === undefined
      ? "Removed all faults except those of the configuration file"
      : `Removed ${id}`,
  );
  return 0;
}

async function ask(
  instance: Instance,
  path: string,
  request: { readonly method?: string; readonly body?: string },
): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const { status, body } = await instance.ask(path, { ...request, headers, timeoutMs: ANSWER_MS });
  const answer = readJson(body);
  if (status < 300) return answer;
  const { error } = (answer ?? {}) as { readonly error?: string };
  throw new ConfigError(error ?? `Cannot use faults of ${instance.base}: it answered ${status}`);
}
