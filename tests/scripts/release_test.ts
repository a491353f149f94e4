/** Workflows, image and compose example of a release fit the program and each other. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DockerfileParser } from "npm:dockerfile-ast@0.7.1";
import { validate } from "npm:dockerfile-utils@0.16.3";
import { parse } from "npm:yaml@2.9.1";
import { optionTree } from "../../core/options/tree.ts";
import config from "../../deno.json" with { type: "json" };
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { TARGETS } from "../../scripts/compile.ts";
import { NOTICES } from "../../scripts/release/notices.ts";
import { requireGo, runOk, runProgram } from "../support/clients.ts";
import { scratch } from "../support/files.ts";

const ROOT = new URL("../../", import.meta.url);
const RELEASE = new URL("scripts/release/", ROOT);
const WORKFLOWS = new URL(".github/workflows/", ROOT);

const read = (path: string, base = ROOT): Promise<string> => Deno.readTextFile(new URL(path, base));

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly needs?: string;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
  readonly strategy?: {
    readonly matrix: { readonly include?: readonly { readonly program: string }[] };
  };
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

async function workflow(name: string): Promise<Workflow> {
  return parse(await read(name, WORKFLOWS));
}

async function workflowNames(): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(WORKFLOWS))).map(({ name }) => name).toSorted();
}

Deno.test("actionlint finds no error in the workflows", async (t) => {
  const actionlint = await requireGo(t, "actionlint");
  if (actionlint === undefined) return;
  const files = (await workflowNames()).map((name) => new URL(name, WORKFLOWS).pathname);
  await runOk(actionlint, ["-no-color", ...files]);
});

Deno.test("workflows run existing tasks and files, have minimal permissions, and time out", async () => {
  assertEquals(await workflowNames(), ["ci.yml", "release.yml"]);
  for (const name of await workflowNames()) {
    const { permissions, jobs } = await workflow(name);
    assertEquals(permissions, { contents: "read" }, name);
    for (const [id, job] of Object.entries(jobs)) {
      assert((job["timeout-minutes"] ?? 0) > 0, `${name}: ${id} has no timeout`);
      const commands = job.steps.map(({ run = "" }) => run).join("\n");
      for (const [, task] of commands.matchAll(/deno task (\w+)/g)) {
        assert(task! in config.tasks, `${name}: there is no task ${task}`);
      }
      for (const [path] of commands.matchAll(/(?:scripts\/[\w/.]+\.\w+|\.ci\/run)/g)) {
        assert((await Deno.stat(new URL(path, ROOT))).isFile, `${name}: there is no ${path}`);
      }
    }
  }
});

Deno.test("the workflows pin every action to a commit, and leave no credentials behind", async () => {
  for (const name of await workflowNames()) {
    const text = await read(name, WORKFLOWS);
    const used = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action!);
    assert(used.length > 0);
    for (const action of used) {
      assertMatch(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    const checkouts = text.match(/uses: actions\/checkout@/g)?.length;
    assertEquals(text.match(/persist-credentials: false/g)?.length, checkouts, name);
  }
});

Deno.test("every compiled program is tested before any part of a release is published", async () => {
  const { jobs } = await workflow("release.yml");
  assertEquals(
    jobs.smoke?.strategy?.matrix.include?.map(({ program }) => program),
    Object.keys(TARGETS).map((name) =>
      `standin-${name}${name.startsWith("windows") ? ".exe" : ""}`
    ),
  );
  assertEquals([jobs.smoke?.needs, jobs.release?.needs], ["build", "smoke"]);
  for (const id of Object.keys(jobs)) {
    if (!["build", "smoke", "release"].includes(id)) assertEquals(jobs[id]?.needs, "release", id);
  }
});

Deno.test("the workflows use the Deno that the gate uses", async () => {
  const wanted = /^deno_version=(\S+)$/m.exec(await read(".ci/run"))?.[1];
  for (const name of await workflowNames()) {
    for (const [, version] of (await read(name, WORKFLOWS)).matchAll(/deno-version: ([\d.]+)/g)) {
      assertEquals(version, wanted, name);
    }
  }
});

/** Default ports of the program, in Docker's notation. */
function ports(): string[] {
  const settings = [...optionTree(STANDARD_PLUGINS).byPath.values()];
  return settings.flatMap(({ spec, plugin, provider }) => {
    if (spec.kind !== "port" || typeof spec.fallback !== "number") return [];
    const kind = STANDARD_PLUGINS.find(({ id }) => id === plugin)?.providers
      .find(({ id }) => id === provider)?.kind;
    return [`${spec.fallback}${kind === "udp" ? "/udp" : ""}`];
  }).toSorted();
}

function checkVariables(given: readonly string[], where: string): void {
  const known = new Set(
    [...optionTree(STANDARD_PLUGINS).byPath.values()].map(({ variable }) => variable),
  );
  for (const name of given) {
    if (name.startsWith("SERVICE_")) assert(known.has(name), `${where}: no setting is ${name}`);
  }
}

Deno.test("the image passes a linter, exposes every port and does not run as root", async () => {
  const text = await read("Dockerfile", RELEASE);
  assertEquals(validate(text).map(({ message }) => message), []);
  const file = DockerfileParser.parse(text);
  const last = file.getInstructions().slice(
    file.getInstructions().findLastIndex((one) => one.getKeyword() === "FROM"),
  );
  const argumentsOf = (keyword: string): string[] =>
    last.filter((one) => one.getKeyword() === keyword)
      .flatMap((one) => one.getArguments().map((argument) => argument.getValue()));
  const [, lowest, highest] = /SERVICE_FTP_PASSIVE_PORTS=(\d+)-(\d+)/.exec(text)!;
  const passive = Array.from({ length: +highest! - +lowest! + 1 }, (_, i) => String(+lowest! + i));
  assertEquals(argumentsOf("EXPOSE").toSorted(), [...ports(), ...passive].toSorted());
  assertMatch(argumentsOf("USER").join(), /^[1-9]\d*:[1-9]\d*$/);
  const variables = file.getENVs().flatMap((env) =>
    env.getProperties().map((one) => one.getName())
  );
  checkVariables(variables, "Dockerfile");
  assert(argumentsOf("HEALTHCHECK").join(" ").includes('["standin", "ready"]'));
  assertMatch(text, /ENTRYPOINT \["standin"\]\nCMD \["serve"\]\n$/);
  const ignored = await read("Dockerfile.dockerignore", RELEASE);
  const copied = [...text.matchAll(/COPY (dist\/\S+) /g)].map(([, path]) => path);
  assertEquals(copied, ["dist/standin-linux-*", `dist/${NOTICES}`]);
  const programs = Object.keys(TARGETS).filter((name) => name.startsWith("linux-"))
    .map((name) => `dist/standin-${name}`);
  assertEquals(ignored.trim().split("\n"), [
    "*",
    ...programs.map((path) => `!${path}`),
    `!dist/${NOTICES}`,
  ]);
  for (const path of programs) {
    assert(text.includes(path.slice("dist/standin-linux-".length)), path);
  }
});

Deno.test("the image takes the program of the platform that is built for, or else of its own", async () => {
  const [, script = ""] = /^RUN ((?:.*\\\n)*.*install -m 755.*)$/m.exec(
    await read("Dockerfile", RELEASE),
  )!;
  await using place = await scratch();
  const write = (name: string, text: string): Promise<void> =>
    Deno.writeTextFile(`${place.path}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await write("install", 'echo "$3"');
  await write("dpkg", "echo arm64");
  const pick = async (TARGETARCH: string): Promise<string> => {
    const env = { TARGETARCH, PATH: `${place.path}:${Deno.env.get("PATH")}` };
    const { code, stdout, stderr } = await runProgram("sh", ["-c", script], { env });
    return code === 0 ? stdout.trim() : stderr.trim();
  };
  assertEquals(await pick("amd64"), "/dist/standin-linux-x64");
  assertEquals(await pick("arm64"), "/dist/standin-linux-arm64");
  // Docker without BuildKit.
  assertEquals(await pick(""), "/dist/standin-linux-arm64");
  assertEquals(await pick("riscv64"), 'No program for "riscv64": there are amd64 and arm64');
});

Deno.test("the compose example publishes every port to this machine only, with settings that exist", async () => {
  const text = await read("compose.yaml", RELEASE);
  const { services: { standin } } = parse(text);
  const passive = "30000-30009";
  assertEquals(
    standin.ports.toSorted(),
    [...ports(), passive].map((port) => `127.0.0.1:${port.replace("/udp", "")}:${port}`).toSorted(),
  );
  checkVariables([...text.matchAll(/SERVICE_\w+/g)].map(([name]) => name), "compose.yaml");
  assert((await Deno.stat(new URL(standin.build.context, RELEASE))).isDirectory);
  assertEquals(new URL(standin.build.dockerfile, ROOT).href, new URL("Dockerfile", RELEASE).href);
});

Deno.test("the install scripts fetch the files of a release, and hard-code no address", async () => {
  for (const name of ["install.sh", "install.ps1"]) {
    const text = await read(name, RELEASE);
    assertEquals(text.match(/@STANDIN_BASE_URL@/g)?.length, 1, name);
    assertEquals(text.match(/https?:\/\//g), null, name);
    assert(text.includes("SHA256SUMS"), name);
  }
  const powershell = await read("install.ps1", RELEASE);
  for (const [, platform] of powershell.matchAll(/standin-([\w-]+)\.exe'/g)) {
    assert(platform! in TARGETS, platform);
  }
  const shell = await read("install.sh", RELEASE);
  const [systems, machines] = ["os", "arch"].map((name) =>
    [...shell.matchAll(new RegExp(`\\b${name}=(\\w+)`, "g"))].map(([, word]) => word)
  );
  const made = systems!.flatMap((os) => machines!.map((arch) => `${os}-${arch}`));
  assertEquals(made, Object.keys(TARGETS).filter((name) => !name.startsWith("windows")));
});
