/** The official test suite of TOML against the parser of the configuration file. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { readConfigFile } from "../../core/cli/base/config_file.ts";
import { requireGo, runOk } from "../support/clients.ts";

/** Valid in TOML 1.1 but not in 1.0: times without seconds, line ends within inline tables, `\e` and `\x`. */
const NEW_IN_1_1 = /no-secs|inline-table\/(linebreak|trailing-comma)|basic-byte-escapes/;

async function problemOf(path: string): Promise<string | undefined> {
  try {
    await readConfigFile(path);
    return undefined;
  } catch (error) {
    assert(error instanceof ConfigError, `${path}: ${error}`);
    return error.message;
  }
}

Deno.test("documents of TOML 1.0 and 1.1 are read, and all others refused with the position", async (t) => {
  const suite = await requireGo(t, "toml");
  if (suite === undefined) return;
  const folder = await Deno.makeTempDir();
  try {
    await runOk(suite, [`${folder}/suite`]);
    for (const version of ["1.0.0", "1.1.0"]) {
      const list = await Deno.readTextFile(`${folder}/suite/files-toml-${version}`);
      const names = list.split("\n").filter((name) => name.endsWith(".toml"));
      assert(names.length > 600, version);
      for (const name of names) {
        const problem = await problemOf(`${folder}/suite/${name}`);
        const isTaken = name.startsWith("valid/") ||
          (version === "1.0.0" && NEW_IN_1_1.test(name));
        assertEquals(problem === undefined, isTaken, `${version} ${name}: ${problem}`);
        if (problem !== undefined) assertMatch(problem, /line \d+, column \d+: |not UTF-8/);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
