import { MemoryBlobStore } from "../../blobs/memory.ts";
import { MAX_ARCHIVE_BYTES, MAX_BUNDLE_BYTES } from "../../bundle/record.ts";
import { ByteGatherer } from "../../bytes/gatherer.ts";
import { compact } from "../../compact.ts";
import { ApiError, ConfigError, reasonOf, StoreFullError } from "../../errors.ts";
import { createLogger } from "../../log.ts";
import type { CommandLine } from "../../options/flags.ts";
import { quote } from "../../options/given.ts";
import { didYouMean } from "../../options/suggest.ts";
import { toHtml } from "../../report/html/page.ts";
import { toJunit } from "../../report/junit.ts";
import { toMarkdown } from "../../report/markdown.ts";
import { plural } from "../../report/words.ts";
import { countsOf, readRun, type ReportedRun } from "../../report/run.ts";
import type { CommandContext } from "../base/command.ts";
import { URL_FLAG } from "../base/settings.ts";
import { refusal, TRANSFER_MS } from "./bundle.ts";
import { levelOf } from "./check.ts";
import { HTML, JUNIT, MARKDOWN, NAMESPACE, PLUGIN } from "./flags.ts";
import type { Instance } from "./instance.ts";

/** Writes the reports that the flags ask for, or the Markdown to standard output. */
export async function runReport(
  find: () => Instance,
  { io, plugins }: Pick<CommandContext, "io" | "plugins">,
  line: CommandLine,
): Promise<number> {
  const [file] = line.words;
  const level = levelOf(line);
  const last = (name: string): string | undefined => line.texts[name]?.at(-1);
  if (file !== undefined && last(URL_FLAG.name) !== undefined) {
    throw new ConfigError("Cannot use a file together with --url: choose one of them");
  }
  const chosen = { plugin: last(PLUGIN.name), namespace: last(NAMESPACE.name) };
  checkPlugin(chosen.plugin, plugins.map(({ id }) => id));
  const bundle = file === undefined ? await fetchBundle(find(), chosen) : await readFile(file);
  const log = createLogger({
    level: "warn",
    write: (text) => io.stderr(text),
    now: () => new Date(),
  });
  const run = await read(() =>
    readRun(bundle, { plugins, blobs: emptyBlobs(), log, level, ...chosen })
  );
  const forms:
    readonly (readonly [file: string | undefined, write: () => string | Promise<string>])[] = [
      [last(JUNIT.name), () => toJunit(run)],
      [last(MARKDOWN.name), () => toMarkdown(run)],
      [last(HTML.name), () => toHtml(run, { plugins, log })],
    ];
  const wanted = forms.flatMap(([name, write]) => name === undefined ? [] : [{ name, write }]);
  if (wanted.length === 0) io.stdout(toMarkdown(run).trimEnd());
  for (const { name, write } of wanted) await writeFile(name, await write());
  if (wanted.length > 0) {
    io.stdout(`${saying(run)}: wrote ${wanted.map(({ name }) => name).join(", ")}`);
  }
  return 0;
}

function emptyBlobs(): MemoryBlobStore {
  return new MemoryBlobStore({
    maxBytes: MAX_BUNDLE_BYTES,
    nextId: () => crypto.randomUUID(),
    onDrop: () => {},
  });
}

function checkPlugin(plugin: string | undefined, known: readonly string[]): void {
  if (plugin === undefined || known.includes(plugin)) return;
  const hint = didYouMean(plugin, known, { what: "plugins" });
  throw new ConfigError(`Cannot use --plugin ${quote(plugin)}: ${hint}`);
}

async function fetchBundle(
  instance: Instance,
  chosen: { readonly plugin?: string | undefined; readonly namespace?: string | undefined },
): Promise<Uint8Array> {
  const query = new URLSearchParams(compact(chosen));
  const gathered = new ByteGatherer();
  const { status, body } = await instance.ask(`/export?${query}`, {
    timeoutMs: TRANSFER_MS,
    onChunk(chunk) {
      if (gathered.length + chunk.length > MAX_ARCHIVE_BYTES) {
        throw new ConfigError(`Cannot report on more than ${MAX_ARCHIVE_BYTES} bytes`);
      }
      gathered.append(chunk);
      return Promise.resolve();
    },
  });
  if (status !== 200) throw refusal(status, body);
  return gathered.take();
}

async function readFile(file: string): Promise<Uint8Array> {
  try {
    const { size } = await Deno.stat(file);
    if (size > MAX_ARCHIVE_BYTES) throw new RangeError(`it has ${size} bytes, which is too many`);
    return await Deno.readFile(file);
  } catch (error) {
    throw new ConfigError(`Cannot read ${quote(file)}: ${reasonOf(error)}`);
  }
}

async function read(readIt: () => Promise<ReportedRun>): Promise<ReportedRun> {
  try {
    return await readIt();
  } catch (error) {
    throw error instanceof ApiError || error instanceof StoreFullError
      ? new ConfigError(error.message)
      : error;
  }
}

async function writeFile(file: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(file, text);
  } catch (error) {
    throw new ConfigError(`Cannot write ${quote(file)}: ${reasonOf(error)}`);
  }
}

function saying(run: ReportedRun): string {
  const { events, expectations, unmet, findings } = countsOf(run);
  return [
    plural(events, "item"),
    `${plural(expectations, "expectation")} (${unmet} not met)`,
    plural(findings.error + findings.warning + findings.info, "finding"),
  ].join(", ");
}
