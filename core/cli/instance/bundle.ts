import { ConfigError, reasonOf } from "../../errors.ts";
import { quote } from "../../options/given.ts";
import type { Instance } from "./instance.ts";
import type { CliIo } from "../base/io.ts";

/** Long enough for a large bundle on a busy machine. */
export const TRANSFER_MS = 600_000;

const FORMATS = ["bundle", "har", "mbox"] as const;
type Format = typeof FORMATS[number];

/** Content and target of an export. */
export interface Exporting {
  readonly file: string;
  readonly format: string | undefined;
  readonly plugin: string | undefined;
  readonly namespace: string | undefined;
  /** Only events with a finding of this level or worse. */
  readonly checks: string | undefined;
}

/** Exports the captures of an instance to a file, which appears only when it is complete. */
export async function exportTo(
  instance: Instance,
  io: CliIo,
  exporting: Exporting,
): Promise<number> {
  const { file } = exporting;
  const path = pathOf(exporting);
  const part = `${file}.part`;
  let bytes = 0;
  try {
    using target = await open(part, { write: true, create: true, truncate: true });
    const { status, body } = await instance.ask(path, {
      timeoutMs: TRANSFER_MS,
      onChunk: async (chunk) => {
        for (let left = chunk; left.length > 0;) left = left.subarray(await target.write(left));
        bytes += chunk.length;
      },
    });
    if (status !== 200) throw refusal(status, body);
    await Deno.rename(part, file);
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
  io.stdout(`Wrote ${bytes} bytes to ${file}`);
  return 0;
}

function pathOf({ file, format, plugin, namespace, checks }: Exporting): string {
  const chosen = format === undefined ? formatOf(file) : readFormat(format);
  const query = new URLSearchParams();
  if (checks !== undefined) query.set("checks", checks);
  if (namespace !== undefined) query.set("namespace", namespace);
  if (chosen === "mbox") {
    if (plugin === undefined || plugin === "mail") return `/mail/mbox?${query}`;
    throw new ConfigError(`Cannot export ${quote(plugin)} as mbox: only mail can be a mailbox`);
  }
  query.set("format", chosen);
  if (plugin !== undefined) query.set("plugin", plugin);
  return `/export?${query}`;
}

function formatOf(file: string): Format {
  return FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`)) ?? "bundle";
}

function readFormat(text: string): Format {
  const found = FORMATS.find((format) => format === text);
  if (found !== undefined) return found;
  throw new ConfigError(
    `Cannot read --format ${quote(text)}: expected one of ${FORMATS.join(", ")}`,
  );
}

/** Imports a bundle into an instance. */
export async function importFrom(instance: Instance, io: CliIo, file: string): Promise<number> {
  const source = await open(file, { read: true });
  const { status, body } = await instance.ask("/import", {
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: source.readable,
    timeoutMs: TRANSFER_MS,
  });
  if (status !== 200) throw refusal(status, body);
  const { imported, known, dropped } = JSON.parse(new TextDecoder().decode(body));
  const rest = [
    ...(known === 0 ? [] : [`${known} are already there`]),
    ...(dropped === 0 ? [] : [`${dropped} were dropped for lack of room, or because of their age`]),
  ];
  io.stdout([`Imported ${imported} events`, ...rest].join(", "));
  io.stdout(`Look at them: ${await instance.ui()}/ui/`);
  return 0;
}

async function open(file: string, options: Deno.OpenOptions): Promise<Deno.FsFile> {
  try {
    return await Deno.open(file, options);
  } catch (error) {
    const verb = options.read === true ? "read" : "write";
    throw new ConfigError(`Cannot ${verb} ${quote(file)}: ${reasonOf(error)}`);
  }
}

/** Returns the error for a response that is no bundle. */
export function refusal(status: number, body: Uint8Array): ConfigError {
  const text = new TextDecoder().decode(body);
  try {
    const { error } = JSON.parse(text);
    if (typeof error === "string") return new ConfigError(error);
  } catch {
    // Not a response of this program.
  }
  return new ConfigError(`Cannot use the response of the instance: status ${status}: ${text}`);
}
