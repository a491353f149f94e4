/**
 * `deno task release --dry-run`: builds every file of a release into `dist/`, builds them again
 * from a copy of the sources in another folder, compares the bytes, tests each file on its own, and
 * prints the results. A release itself is made by a tag, on machines of every platform.
 *
 * @module
 */
import { buildRelease, type Missing, SUMS } from "./build.ts";
import { containerTrials } from "./container_trials.ts";
import { type Compared, compareFolders } from "./compare.ts";
import { copySource } from "./source.ts";
import { renderReport } from "./table.ts";
import { attempt, type Plan, type Trial } from "./try.ts";
import { trialsOf } from "./trials.ts";

const FLAG = "--dry-run";

async function main(args: readonly string[]): Promise<number> {
  if (args.length !== 1 || args[0] !== FLAG) {
    console.error(
      `Cannot release from here: a tag does. Build and try everything with deno task release ${FLAG}`,
    );
    return 2;
  }
  await Deno.remove("dist", { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir("dist");
  const release = await Deno.realPath("dist");
  say("Building into dist/");
  const missing = await buildRelease(release);
  say("Building again from a copy of the sources");
  const compared = await buildAgain(release);
  const trials: Trial[] = [];
  for (const plan of plansFor(release)) {
    say(`Trying ${plan.what}`);
    trials.push(await attempt(plan, release));
  }
  console.log(`\n${renderReport({ compared, trials, missing })}`);
  return failed({ compared, trials, missing }) ? 1 : 0;
}

function say(what: string): void {
  console.log(`== ${what}`);
}

function plansFor(release: string): readonly Plan[] {
  return [...trialsOf(release), ...containerTrials(release)];
}

/** Builds in another folder, in another time zone, and compares with what is in `release`. */
async function buildAgain(release: string): Promise<readonly Compared[]> {
  const folder = await Deno.makeTempDir({ prefix: "release-" });
  try {
    const sources = `${folder}/somewhere/else`;
    await copySource(Deno.cwd(), sources);
    // Missing files have already been reported.
    await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all", "--lock=tests/deno.lock"],
        ...["scripts/release/build.ts", `${folder}/again`],
      ],
      cwd: sources,
      env: { TZ: "Asia/Tokyo", LC_ALL: "C", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    return await compareFolders(release, `${folder}/again`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns whether something failed, other than for lack of a tool on this machine. */
function failed({ compared, trials, missing }: {
  readonly compared: readonly Compared[];
  readonly trials: readonly Trial[];
  readonly missing: readonly Missing[];
}): boolean {
  return missing.some(({ fault }) => fault) || compared.some(({ same }) => !same) ||
    trials.some(({ result }) => result === "fails") || !compared.some(({ name }) => name === SUMS);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
