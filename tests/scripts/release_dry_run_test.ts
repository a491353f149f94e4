/** `deno task release --dry-run`: reports of successes, failures and missing requirements. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { compareFolders } from "../../scripts/release/compare.ts";
import { packSource, sourcePaths } from "../../scripts/release/source.ts";
import { renderReport } from "../../scripts/release/table.ts";
import { attempt, type Plan, UnavailableError } from "../../scripts/release/try.ts";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { scratch } from "../support/files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PLAN: Plan = {
  what: "a file",
  how: "opened",
  needs: [],
  files: [],
  run: () => Promise.resolve([]),
};

Deno.test("a trial succeeds, fails, or says what the machine lacks", async () => {
  await using place = await scratch();
  const about = { what: "a file", how: "opened" };
  assertEquals(await attempt(PLAN, place.path), { ...about, result: "works" });
  const cases: readonly (readonly [Partial<Plan>, result: string, detail: string])[] = [
    [{ run: () => Promise.resolve(["one fault", "two"]) }, "fails", "one fault\ntwo"],
    [{ run: () => Promise.reject(new Error("it broke")) }, "fails", "it broke"],
    [{ run: () => Promise.reject(new UnavailableError("no daemon")) }, "impossible", "no daemon"],
    [{ needs: ["standin-no-such"] }, "impossible", "standin-no-such is not installed"],
    [{ files: ["a.zip"] }, "impossible", "a.zip was not built"],
  ];
  for (const [more, result, detail] of cases) {
    const trial = await attempt({ ...PLAN, ...more }, place.path);
    assertEquals<unknown>(trial, { ...about, result, detail });
  }
});

Deno.test("a trial runs in an empty folder, which is removed afterwards", async () => {
  await using place = await scratch();
  let used = "";
  const run = async (folder: string): Promise<readonly string[]> => {
    used = folder;
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    await Deno.writeTextFile(`${folder}/left`, "");
    return names;
  };
  assertEquals((await attempt({ ...PLAN, run }, place.path)).result, "works");
  assertEquals(await Deno.stat(used).then(() => "there", () => "gone"), "gone");
});

Deno.test("two builds are compared by the bytes of every file", async () => {
  await using place = await scratch();
  for (
    const [name, text] of [["a/same", "1"], ["a/other", "1"], ["a/deep/alone", "1"], [
      "b/same",
      "1",
    ], ["b/other", "2"]]
  ) {
    await Deno.mkdir(`${place.path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${place.path}/${name}`, text!);
  }
  const compared = await compareFolders(`${place.path}/a`, `${place.path}/b`);
  assertEquals(compared.map(({ name, bytes, same }) => [name, bytes, same]), [
    ["deep/alone", 1, false],
    ["other", 1, false],
    ["same", 1, true],
  ]);
  assertEquals(
    compared[0]!.sha256,
    "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
  );
});

Deno.test("the report lists what was built, what was tried, and what was impossible", () => {
  const sum = "0".repeat(64);
  const text = renderReport({
    compared: [
      { name: "a.zip", bytes: 12, sha256: sum, same: true },
      { name: "program", bytes: 94_693_631, sha256: sum, same: false },
    ],
    trials: [
      { what: "a.zip", how: "unpacked", result: "works" },
      { what: "program", how: "started", result: "fails", detail: "it ended" },
      { what: "image", how: "built", result: "impossible", detail: "no engine" },
    ],
    missing: [{ what: "other", reason: "nothing to compile with", fault: false }],
  });
  assertEquals(text.split("\n"), [
    "Built (SHA-256; `same` if a second build elsewhere made the same bytes)",
    `  a.zip       12 B  ${sum}  same`,
    `  program  94.7 MB  ${sum}  DIFFERENT`,
    "",
    "Tried",
    "  a.zip    works  unpacked",
    "  program  FAILS  started",
    "",
    "program:",
    "it ended",
    "",
    "Not on this machine",
    "  other  not built: nothing to compile with",
    "  image  not tried: no engine",
  ]);
});

clientTest(
  "the source archive unpacks with tar unchanged, executable files included",
  ["tar"],
  async ({ tar }) => {
    await using place = await scratch();
    await Deno.writeFile(`${place.path}/source.tar.gz`, await packSource(ROOT));
    await runOk(tar, ["xzf", "source.tar.gz"], { cwd: place.path });
    const [folder] = (await Array.fromAsync(Deno.readDir(place.path)))
      .filter(({ isDirectory }) => isDirectory);
    const unpacked = `${place.path}/${folder!.name}`;
    const paths = await sourcePaths(unpacked);
    assertEquals(
      ["LICENSE", "core/plugin.ts", "deno.lock"].filter((one) => !paths.includes(one)),
      [],
    );
    assertEquals(paths.filter((path) => /^(?:\.git|dist|node_modules)\//.test(path)), []);
    assertEquals((await Deno.stat(`${unpacked}/.ci/run`)).mode! & 0o111, 0o111);
    assertEquals(
      await Deno.readFile(`${unpacked}/main.ts`),
      await Deno.readFile(`${ROOT}/main.ts`),
    );
  },
);

Deno.test("nothing is released from a local machine: without --dry-run the task says how to release", async () => {
  for (const args of [[], ["--dry-runs"], ["--dry-run", "now"]]) {
    const { code, stderr } = await runProgram(
      Deno.execPath(),
      [
        "run",
        "--quiet",
        "--allow-all",
        "--lock=tests/deno.lock",
        "scripts/release/mod.ts",
        ...args,
      ],
      { cwd: ROOT, timeoutMs: 60_000 },
    );
    assertEquals(code, 2);
    assertStringIncludes(stderr, "Cannot release from here: a tag does");
  }
});
