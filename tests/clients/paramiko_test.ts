/** Python's paramiko. */
import { assertEquals, assertMatch } from "@std/assert";
import { requirePython, runOk } from "../support/clients.ts";
import {
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import { assertFifty, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";
import type { TestService } from "../support/service.ts";

const SCRIPT = new URL("./python/paramiko_calls.py", import.meta.url).pathname;

interface Calls {
  readonly service: TestService;
  readonly folder: string;
  /** Runs one function of the script, and returns its result. */
  run(what: string, ...args: readonly string[]): Promise<unknown>;
}

async function calling(
  t: Deno.TestContext,
  work: (calls: Calls) => Promise<void>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startFiles({ sftp: { offer_none: false } }, config);
  await using folder = await scratch();
  await Deno.writeTextFile(`${folder.path}/small`, "small");
  const { hostname, port } = service.endpoint("sftp");
  await work({
    service,
    folder: folder.path,
    async run(what, ...args) {
      const { stdout } = await runOk(python, [
        ...[SCRIPT, hostname, String(port), folder.path, what],
        ...args,
      ]);
      return JSON.parse(stdout);
    },
  });
}

Deno.test("paramiko transfers files in both directions", (t) =>
  calling(t, async ({ service, folder, run }) => {
    await assertMoved(service, {
      put: (local, path) => run("move", `put:${local}:${path}`),
      get: (path, local) => run("move", `get:${path}:${local}`),
    }, { folder, sizes: [0, 5, 32_768, 1024 * 1024] });
    const { meta } = fileEvents(service)[0]!;
    assertEquals(meta.auth, {
      method: "password",
      user: "ada",
      password: "s3cret",
      accepted: true,
    });
    assertMatch(String(meta.client_version), /paramiko/);
  }));

Deno.test("paramiko sets the time of a file that it only opens", (t) =>
  calling(t, async ({ service, run }) => {
    assertEquals(await run("times"), 1_400_000_000);
    assertEquals(operations(service), ["upload /timed"]);
  }));

Deno.test("paramiko learns of a full store while it writes, because it ignores the status of close", (t) =>
  calling(t, async ({ service, run }) => {
    assertEquals(await run("full", "5000"), [["done"], ["done", "OSError"]]);
    assertEquals(operations(service), ["upload /small"]);
  }, { storage: { blob_limit: 3000 } }));

Deno.test("paramiko reads, changes and removes files and directories", (t) =>
  calling(t, async ({ service, run }) => {
    assertEquals(await run("tree"), {
      start: "/",
      up: "/b",
      stat: [10, 1_500_000_000],
      part: "3XY6",
      vector: ["01", "end"],
      size: 5,
      exclusive: "OSError",
      list: [["ü b", 5]],
      over: "OSError",
      full: "OSError",
      link: "OSError",
      missing: "FileNotFoundError",
    });
    assertEquals(operations(service), [
      "mkdir /dir",
      "upload /dir/ü b",
      "upload /dir/ü b",
      "upload /dir/ü b",
      "upload /dir/ü b",
      "rename /dir/ü b /dir/c",
      "upload /dir/d",
      "rename /dir/d /dir/c",
      "delete /dir/c",
      "delete /dir",
    ]);
  }));

Deno.test("paramiko reports a file over the limit, and continues", (t) =>
  calling(t, async ({ service, folder, run }) => {
    await tooLarge(folder);
    // It pipelines writes, and checks the file at the end.
    assertEquals(await run("limits"), "FileNotFoundError");
    assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /at most 67108864/);
    assertEquals(operations(service), ["upload /small"]);
  }));

Deno.test("paramiko cut off in the middle of an upload leaves nothing", (t) =>
  calling(t, async ({ service, run }) => {
    assertEquals(await run("abandon"), "closed");
    await assertNothingKept(service);
  }));

Deno.test("paramiko is refused hostile paths, and continues", (t) =>
  calling(t, async ({ service, run }) => {
    const answers = await run("hostile") as string[];
    assertEquals(answers.slice(0, 8), Array.from({ length: 8 }, () => "PermissionError"));
    assertEquals(answers.slice(8), ["done", "done", "done"]);
    await until(() => operations(service).length >= 4);
    assertEquals(await paths(service), ["/etc", "/etc/passwd", "/up", "/é"]);
  }));

Deno.test("fifty connections of paramiko upload at once", (t) =>
  calling(t, async ({ service, folder, run }) => {
    for (let i = 0; i < 50; i++) await Deno.writeFile(`${folder}/${i}`, noise(20_000, i));
    assertEquals(await run("fifty"), 50);
    await assertFifty(service, { dir: "/all/", bytes: 20_000 });
  }));
