/** The GitHub Action: the steps of its `action.yml` as a runner runs them, against a release on this machine. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { encodeHex } from "@std/encoding/hex";
import { parse } from "npm:yaml@2.9.1";
import { clientTest, type Finished, runProgram } from "../support/clients.ts";
import { emptyProject } from "../support/packages.ts";

const ACTIONS = new URL("../../.github/actions/standin/", import.meta.url);
const NAME = `standin-${Deno.build.os === "darwin" ? "macos" : "linux"}-${
  Deno.build.arch === "aarch64" ? "arm64" : "x64"
}`;

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly shell?: string;
      readonly run?: string;
      readonly uses?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

async function action(folder: string): Promise<Action> {
  return parse(await Deno.readTextFile(new URL(`${folder}action.yml`, ACTIONS)));
}

/** A runner in a folder, with the outputs of steps. */
class Runner {
  readonly #folder: string;
  #env: Record<string, string>;
  readonly outputs: Record<string, string> = {};

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = {
      ...env,
      RUNNER_TEMP: folder,
      GITHUB_SERVER_URL: "http://127.0.0.1:1",
      ...Object.fromEntries(
        ["OUTPUT", "ENV", "PATH", "STEP_SUMMARY"].map((name) => [
          `GITHUB_${name}`,
          `${folder}/${name}`,
        ]),
      ),
    };
  }

  /** Runs the command steps. */
  async use(folder: string, given: Readonly<Record<string, string>>): Promise<Finished> {
    const { inputs, runs } = await action(folder);
    for (const name of Object.keys(given)) assert(name in inputs, `no input is ${name}`);
    const value = (expression: string): string => {
      for (const term of expression.split("||").map((one) => one.trim())) {
        const [context, name = ""] = term.split(".");
        const text = context === "inputs"
          ? given[name] ?? inputs[name]!.default
          : { action_path: new URL(folder, ACTIONS).pathname.replace(/\/$/, "") }[name];
        if (text) return text;
      }
      return "";
    };
    let last: Finished = { code: 0, stdout: "", stderr: "" };
    for (const { run, shell, env } of runs.steps) {
      if (run === undefined) continue;
      assertEquals(shell, "bash");
      assert(!run.includes("${{"), "An input in a command would be run");
      const variables = Object.fromEntries(
        Object.entries(env ?? {}).map(([name, text]) => [
          name,
          text.replaceAll(/\$\{\{(.+?)\}\}/g, (_, expression) => value(expression)),
        ]),
      );
      last = await runProgram("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
        env: { ...this.#env, ...variables },
        cwd: this.#folder,
      });
      await this.#take();
    }
    return last;
  }

  /** Text of a file, empty without it. */
  async read(name: string): Promise<string> {
    return await Deno.readTextFile(`${this.#folder}/${name}`).catch(() => "");
  }

  async #take(): Promise<void> {
    const pairs = async (name: string) =>
      [...(await this.read(name)).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = "", text = ""]) =>
        [key, text] as const
      );
    Object.assign(this.outputs, Object.fromEntries(await pairs("OUTPUT")));
    this.#env = { ...this.#env, ...Object.fromEntries(await pairs("ENV")) };
  }
}

/** A release with this program, and a runner. */
async function setUp(digest?: string) {
  await using undo = new AsyncDisposableStack();
  const project = undo.use(await emptyProject());
  const program = await Deno.readFile(project.env.STANDIN_PROGRAM!);
  const sum = encodeHex(await crypto.subtle.digest("SHA-256", program));
  const files: Readonly<Record<string, BodyInit>> = {
    "/SHA256SUMS": `${digest ?? sum}  ${NAME}\n`,
    [`/${NAME}`]: program,
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const file = files[new URL(url).pathname];
    return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
  });
  undo.defer(() => server.shutdown());
  const { STANDIN_PROGRAM: _, STANDIN_URL: _url, ...env } = project.env;
  const folder = `${project.folder}/runner`;
  await Deno.mkdir(folder);
  const held = undo.move();
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    runner: new Runner(folder, env),
    folder,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const FREE = "--free-ports\n--tls-in-memory\n";

clientTest(
  "the action installs by checksum, starts and waits; its post step exports, summarizes and stops",
  ["bash", "curl"],
  async () => {
    await using at = await setUp();
    const { runner } = at;
    const started = await runner.use("", { "base-url": at.url, args: FREE });
    assertEquals(started.code, 0, started.stdout + started.stderr);
    const { url, ingress, program, addresses } = runner.outputs;
    assertEquals(program, `${at.folder}/standin/bin/standin`);
    assertEquals(JSON.parse(addresses!).ingress, ingress);
    assertMatch(await runner.read("ENV"), new RegExp(`^STANDIN_URL=${url}$`, "m"));
    assertEquals(await runner.read("PATH"), `${at.folder}/standin/bin\n`);
    const sent = await fetch(`${ingress}/emails`, {
      method: "POST",
      headers: { authorization: "Bearer re_any", "content-type": "application/json" },
      body: JSON.stringify({
        ...{ from: "a@example.com", to: "b@example.com", subject: "<b>Hi" },
        html: '<a href="http://localhost/">Go</a>',
      }),
    });
    assertEquals(sent.status, 200, await sent.text());

    const finished = await runner.use("finish/", { file: "run.zip", check: "warning" });
    assertEquals(finished.code, 1, finished.stdout + finished.stderr);
    assertStringIncludes(finished.stdout, "::error title=standin::The checks have findings");
    // Findings contain captured text, and a runner interprets workflow commands on any line.
    assertMatch(
      finished.stdout,
      /^::stop-commands::([0-9a-f]{32})\nmail\.message [^]*\n::\1::\n::error/m,
    );
    assertEquals([runner.outputs.events, runner.outputs.file], ["1", "run.zip"]);
    assertEquals(
      (await Deno.readFile(`${at.folder}/run.zip`)).subarray(0, 2),
      new Uint8Array([80, 75]),
    );
    const summary = await runner.read("STEP_SUMMARY");
    // The program's own report, not only its findings.
    assertMatch(summary, /^#+ /m);
    assert(!summary.includes("<pre>"), summary);
    assert(!summary.includes("<b>Hi"), summary);
    await assertRejects(() => fetch(`${url}/api/v1/ready`), TypeError);
  },
);

clientTest(
  "the post step of the action passes if no level is set",
  ["bash", "curl"],
  async () => {
    await using at = await setUp();
    const started = await at.runner.use("", { "base-url": at.url, args: FREE });
    assertEquals(started.code, 0, started.stdout + started.stderr);
    const finished = await at.runner.use("finish/", {});
    assertEquals([finished.code, at.runner.outputs.events], [0, "0"], finished.stderr);
  },
);

clientTest(
  "the action says what is wrong, and leaves nothing running",
  ["bash", "curl"],
  async () => {
    const cases: readonly (readonly [
      given: Record<string, string>,
      said: RegExp,
      digest?: string,
    ])[] = [
      [{}, /nothing was installed/, "0".repeat(64)],
      [{ args: "--smpt-port=1" }, /did you mean --smtp-port[^]*::error[^]*it ended before/],
      [{ "base-url": "", version: "main" }, /::error .*which release to install from "main"/],
      [{ "base-url": "", version: "v9.9.9" }, /could not fetch http:\/\/127.0.0.1:1\//],
      [{ program: "/there/is/none" }, /::error .*there is no program/],
    ];
    for (const [given, said, digest] of cases) {
      await using at = await setUp(digest);
      const { code, stdout, stderr } = await at.runner.use("", { "base-url": at.url, ...given });
      assertEquals(code, 1, stdout);
      assertMatch(stdout + stderr, said);
      assertEquals(at.runner.outputs, {});
    }
    await using at = await setUp();
    const { code, stdout } = await at.runner.use("finish/", {});
    assertEquals(code, 1);
    assertStringIncludes(stdout, "nothing was started");
  },
);

Deno.test("the action pins other actions to commits, has no secret, and describes its inputs and outputs", async () => {
  for (const folder of ["", "finish/"]) {
    const { inputs, outputs, runs } = await action(folder);
    const text = await Deno.readTextFile(new URL(`${folder}action.yml`, ACTIONS));
    for (const [, used] of text.matchAll(/^\s+uses: (.+)$/gm)) {
      assertMatch(used!, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    assert(!text.includes("secrets."));
    for (const [, name] of text.matchAll(/inputs\.([\w-]+)/g)) assert(name! in inputs, name);
    for (const { value } of Object.values(outputs)) {
      const id = /steps\.(\w+)\.outputs/.exec(value)?.[1];
      assert(runs.steps.some((step) => step.id === id), value);
    }
    for (const { run = "" } of runs.steps) {
      const script = /"\$ACTION_PATH\/(\w+\.sh)"/.exec(run)?.[1];
      if (script === undefined) continue;
      const { mode } = await Deno.stat(new URL(folder + script, ACTIONS));
      assert(((mode ?? 0) & 0o111) !== 0, `${script} cannot be run`);
    }
  }
});
