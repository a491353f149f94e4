/** Inputs that once broke a decoder no longer do, and fuzzing covers every decoder. */
import { assert, assertEquals } from "@std/assert";
import { faultOf, fuzzed, mutate, numbersFrom } from "../support/fuzz.ts";
import { FUZZ_TARGETS } from "../support/fuzz_targets.ts";

const ROOT = new URL("../../", import.meta.url);
const FIXTURES = new URL("tests/fixtures/fuzz/", ROOT);
/** Inputs for each decoder in the ordinary run: 200 000 for all together, in some seconds. */
const RUNS = 4600;
/** Folders whose decoders must each be a target. */
const CODEC_FOLDERS = ["core/codec", "plugins"];
/** A decoder, by what it exports. */
const DECODES =
  /^export (?:async )?(?:function\*? (?:decode|parse|read|unescape)\w*|class \w*(?:Decoder|Reader|Scanner|Parser)\b)/m;

for (const { name, seeds, run } of FUZZ_TARGETS) {
  Deno.test(`${name}: past failures and mutated inputs are read or refused`, async () => {
    for await (const { file, bytes } of fixturesOf(name)) {
      assertEquals([file, faultOf(run, bytes)], [file, undefined]);
    }
    const { numRuns, seed = Math.floor(Math.random() * 2 ** 31) } = fuzzed(RUNS);
    const random = numbersFrom(seed);
    for (let i = 0; i < numRuns; i++) {
      const bytes = mutate(seeds, random);
      const fault = faultOf(run, bytes);
      assert(fault === undefined, `FUZZ_SEED=${seed}: ${bytes.toHex()}\n${fault}`);
    }
  });

  Deno.test(`${name}: seed inputs are valid`, () => {
    for (const bytes of seeds) assertEquals(faultOf(run, bytes), undefined);
  });
}

Deno.test("mutations depend only on the seed", () => {
  const made = (seed: number): string => {
    const random = numbersFrom(seed);
    return Array.from({ length: 50 }, () => mutate(FUZZ_TARGETS[0]!.seeds, random).toHex()).join();
  };
  assertEquals(made(1), made(1));
  assert(made(1) !== made(2));
});

Deno.test("a decoder that throws anything but WireError is reported", () => {
  const fault = faultOf(() => {
    throw new TypeError("broken");
  }, new Uint8Array());
  assert(fault?.includes("broken"));
});

Deno.test("every decoder in a codec folder is a fuzz target", async () => {
  const files = ["", "check_", "engine_", "message_", "provider_"].map((of) =>
    `fuzz_${of}targets.ts`
  );
  const texts = await Promise.all(
    files.map((name) => Deno.readTextFile(new URL(`tests/support/${name}`, ROOT))),
  );
  const targets = texts.join("");
  const missing: string[] = [];
  let seen = 0;
  for (const folder of CODEC_FOLDERS) {
    for await (const path of codecFiles(folder)) {
      if (!DECODES.test(await Deno.readTextFile(new URL(path, ROOT)))) continue;
      seen++;
      if (!targets.includes(`"../../${path}"`)) missing.push(path);
    }
  }
  assert(seen > 30, `Found ${seen}`);
  assertEquals(missing, [], "Add them to tests/support/fuzz_targets.ts");
});

async function* codecFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* codecFiles(path);
    else if (path.includes("/codec/") && name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      yield path;
    }
  }
}

async function* fixturesOf(name: string): AsyncGenerator<{ file: string; bytes: Uint8Array }> {
  const folder = new URL(`${name}/`, FIXTURES);
  try {
    for await (const entry of Deno.readDir(folder)) {
      yield { file: entry.name, bytes: await Deno.readFile(new URL(entry.name, folder)) };
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
