/**
 * Tests the files of a release as a new user would: each in an empty folder, from the file alone,
 * with the programs of this machine.
 *
 * @module
 */
import { exists, isInstalled } from "./machine.ts";

/** Result of a trial. */
export interface Trial {
  /** The tested files. */
  readonly what: string;
  /** Description of the trial. */
  readonly how: string;
  /** `impossible` means that this machine lacks something. */
  readonly result: "works" | "fails" | "impossible";
  /** The faults, or the missing requirements. */
  readonly detail?: string;
}

/** One trial: what it needs, and what it does in an empty folder. */
export interface Plan {
  readonly what: string;
  readonly how: string;
  /** Required programs; of several in one entry, the first available one is used. */
  readonly needs: readonly string[];
  /** Required files of the release. */
  readonly files: readonly string[];
  /** Returns the faults. Rejects with an `UnavailableError` if the machine cannot run it. */
  run(folder: string): Promise<readonly string[]>;
}

/** Something that this machine lacks, detected during a trial. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Runs the trials of the folder `release`. */
export async function attempt(plan: Plan, release: string): Promise<Trial> {
  const { what, how } = plan;
  const lacking = await lackingFor(plan, release);
  if (lacking.length > 0) return { what, how, result: "impossible", detail: lacking.join(", ") };
  const folder = await Deno.makeTempDir({ prefix: "stranger-" });
  try {
    const faults = await plan.run(folder);
    if (faults.length === 0) return { what, how, result: "works" };
    return { what, how, result: "fails", detail: faults.join("\n") };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      what,
      how,
      result: error instanceof UnavailableError ? "impossible" : "fails",
      detail,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function lackingFor({ needs, files }: Plan, release: string): Promise<readonly string[]> {
  const lacking: string[] = [];
  for (const name of needs) if (!await isInstalled(name)) lacking.push(`${name} is not installed`);
  for (const file of files) {
    if (!await exists(`${release}/${file}`)) lacking.push(`${file} was not built`);
  }
  return lacking;
}
