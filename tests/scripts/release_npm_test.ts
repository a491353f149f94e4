/** The npm packages with the program of each platform, installed by npm and run by Node. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { TARGETS } from "../../scripts/compile.ts";
import { LAUNCHER, writeNpmPackages } from "../../scripts/release/npm_wrapper.ts";
import { NOTICES } from "../../scripts/release/notices.ts";
import { clientTest, runOk, runProgram } from "../support/clients.ts";

/** Replaces a compiled program: prints how it was started, and exits as requested. */
const PROGRAM = `#!/bin/sh
printf '%s\\n' "$0" "$@"
[ "\${1:-}" = wait ] && { trap 'exit 7' TERM; echo ready; while :; do sleep 0.1; done; }
exit 3
`;

interface Packed {
  readonly folders: readonly string[];
  readonly folder: string;
}

async function packages(): Promise<Packed & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  for (const name of Object.keys(TARGETS)) {
    const suffix = name.startsWith("windows") ? ".exe" : "";
    await Deno.writeTextFile(`${folder}/standin-${name}${suffix}`, PROGRAM);
  }
  const folders = await writeNpmPackages(folder, `${folder}/npm`);
  return {
    folder,
    folders,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function manifestOf(folder: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
}

Deno.test("there is a package per compiled platform, all of the program's version", async () => {
  await using made = await packages();
  const manifests = await Promise.all(made.folders.map(manifestOf));
  const launcher = manifests.at(-1)!;
  const platforms = manifests.slice(0, -1);
  assertEquals(platforms.length, Object.keys(TARGETS).length);
  assertEquals(manifests.every(({ version }) => version === config.version), true);
  assertEquals(launcher.name, LAUNCHER);
  assertEquals(
    launcher.optionalDependencies,
    Object.fromEntries(platforms.map(({ name }) => [name, config.version])),
  );
  assertEquals(
    platforms.map(({ name, os, cpu }) => [name, os, cpu]),
    [
      ["@standin/linux-x64", ["linux"], ["x64"]],
      ["@standin/linux-arm64", ["linux"], ["arm64"]],
      ["@standin/darwin-x64", ["darwin"], ["x64"]],
      ["@standin/darwin-arm64", ["darwin"], ["arm64"]],
      ["@standin/win32-x64", ["win32"], ["x64"]],
    ],
  );
  for (const manifest of manifests) assertEquals(manifest.scripts, undefined);
});

Deno.test("a platform without a program has no package, but the launcher still asks for it", async () => {
  await using made = await packages();
  await Deno.remove(`${made.folder}/standin-linux-arm64`);
  await Deno.writeTextFile(`${made.folder}/${NOTICES}`, "Everybody's licences");
  const folders = await writeNpmPackages(made.folder, `${made.folder}/some`, { partial: true });
  assertEquals(folders.length, made.folders.length - 1);
  const { optionalDependencies } = await manifestOf(folders.at(-1)!);
  assertEquals(Object.keys(optionalDependencies as object).length, Object.keys(TARGETS).length);
  for (const folder of folders.slice(0, -1)) {
    assertEquals(await Deno.readTextFile(`${folder}/${NOTICES}`), "Everybody's licences");
    assertEquals((await manifestOf(folder)).files, [
      folder.includes("win32") ? "standin.exe" : "standin",
      NOTICES,
    ]);
  }
});

/** Packs and installs the launcher and the package of this platform with npm. */
async function install(npm: string, { folder, folders }: Packed): Promise<string> {
  const place = `${folder}/project`;
  await Deno.mkdir(place);
  await Deno.writeTextFile(`${place}/package.json`, '{"private":true}');
  const wanted = [`linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`, LAUNCHER]
    .map((name) => folders.find((path) => path.endsWith(name))!);
  const tarballs: string[] = [];
  for (const path of wanted) {
    const { stdout } = await runOk(npm, ["pack", "--json", "--pack-destination", folder], {
      cwd: path,
    });
    const [{ filename }] = JSON.parse(stdout);
    tarballs.push(`${folder}/${filename}`);
  }
  // The packages of other platforms do not exist; npm skips missing optional ones.
  const flags = ["--offline", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"];
  await runOk(npm, ["install", ...flags, ...tarballs], { cwd: place, timeoutMs: 60_000 });
  return `${place}/node_modules`;
}

clientTest(
  "npm installs the launcher, which runs the program and exits with its status",
  ["npm", "node"],
  async ({ npm, node }) => {
    await using made = await packages();
    const modules = await install(npm, made);
    const { code, stdout } = await runProgram(`${modules}/.bin/standin`, ["serve", "--a b", "*"]);
    assertEquals(code, 3);
    assertStringIncludes(stdout, "/standin\nserve\n--a b\n*\n");

    const child = new Deno.Command(node, {
      args: [`${modules}/${LAUNCHER}/launcher.cjs`, "wait"],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("ready\n")) child.kill("SIGTERM");
    }
    assertEquals((await child.status).code, 7);

    await Deno.remove(`${modules}/@standin`, { recursive: true });
    const without = await runProgram(`${modules}/.bin/standin`, []);
    assertEquals(without.code, 1);
    assertStringIncludes(without.stderr, "is not installed; there are programs for linux-x64");
  },
);
