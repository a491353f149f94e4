import { createTwoFilesPatch } from "diff";
import { ConfigError, reasonOf } from "../../errors.ts";
import { quote } from "../../options/given.ts";
import { normalise } from "../../snapshot/normalise.ts";
import { PROGRAM } from "../base/command.ts";
import type { Instance } from "./instance.ts";
import type { CliIo } from "../base/io.ts";

/** Writes the normalised events of an instance to a file or to standard output. */
export async function takeSnapshot(
  instance: Instance,
  io: CliIo,
  file: string | undefined,
): Promise<number> {
  const { text, count } = await readSnapshot(instance);
  if (file === undefined) {
    io.stdout(text.trimEnd());
    return 0;
  }
  try {
    await Deno.writeTextFile(file, text);
  } catch (error) {
    throw new ConfigError(`Cannot write ${quote(file)}: ${reasonOf(error)}`);
  }
  io.stdout(`Wrote ${count} events to ${file}`);
  return 0;
}

/** Compares the events of an instance with a snapshot. Returns 1, after printing the differences, if there are any. */
export async function compareSnapshot(
  instance: Instance,
  io: CliIo,
  file: string,
): Promise<number> {
  let expected: string;
  try {
    expected = await Deno.readTextFile(file);
  } catch (error) {
    throw new ConfigError(
      `Cannot read ${quote(file)}: ${reasonOf(error)}; ${PROGRAM} snapshot ${file} writes it`,
    );
  }
  const { text, count } = await readSnapshot(instance);
  if (text === expected) {
    io.stdout(`The same ${count} events as in ${file}`);
    return 0;
  }
  io.stdout(createTwoFilesPatch(file, instance.base, expected, text).trimEnd());
  io.stderr(`Not the same as ${file}; if it is as it should be: ${PROGRAM} snapshot ${file}`);
  return 1;
}

/** Oldest first, one property per line, so that a difference is one line. */
async function readSnapshot(
  instance: Instance,
): Promise<{ readonly text: string; readonly count: number }> {
  const { status, body } = await instance.get("/events");
  const events: unknown = status === 200 ? JSON.parse(new TextDecoder().decode(body)) : undefined;
  if (!Array.isArray(events)) {
    throw new ConfigError(`Cannot read the events of ${instance.base}: it answered ${status}`);
  }
  const held = normalise(events.toReversed());
  return { text: `${JSON.stringify(held, null, 2)}\n`, count: events.length };
}
