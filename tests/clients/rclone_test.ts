import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, type Finished, runOk, runProgram } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles, until } from "../support/files.ts";
import { assertBytes, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";
import type { TestService } from "../support/service.ts";

/** rclone's two backends for the file servers; a remote is the prefix of a path. */
const BACKENDS = ["ftp", "sftp"] as const;

interface Rclone {
  readonly remote: string;
  readonly flags: readonly string[];
  run(...args: readonly string[]): Promise<Finished>;
  fails(...args: readonly string[]): Promise<Finished>;
}

async function configure(
  program: string,
  about: { backend: typeof BACKENDS[number]; service: TestService; folder: string },
): Promise<Rclone> {
  const { backend, service, folder } = about;
  const { port } = service.endpoint(backend);
  const hidden = await runOk(program, ["obscure", "s3cret"]);
  const login = `host=127.0.0.1,port=${port},user=ada,pass=${hidden.stdout.trim()}`;
  const more = backend === "sftp" ? ",shell_type=none" : "";
  const flags = ["--config", `${folder}/none.conf`, "--retries", "1", "--low-level-retries", "1"];
  const at = { cwd: folder, env: { HOME: folder } };
  return {
    remote: `:${backend},${login}${more}:`,
    flags,
    run: (...args) => runOk(program, [...flags, ...args], at),
    fails: (...args) => runProgram(program, [...flags, ...args], at),
  };
}

for (const backend of BACKENDS) {
  clientTest(
    `rclone transfers files in both directions over ${backend}`,
    ["rclone"],
    async (programs) => {
      await using service = await startFiles();
      await using folder = await scratch();
      const { remote, run } = await configure(programs.rclone, {
        ...{ backend, service, folder: folder.path },
      });
      await assertMoved(service, {
        put: (local, path) => run("copyto", local, `${remote}${path}`),
        get: (path, local) => run("copyto", `${remote}${path}`, local),
      }, { folder: folder.path });
      const { stdout } = await run(
        "cat",
        "--offset",
        "1000",
        "--count",
        "5",
        `${remote}/1048576.bin`,
      );
      assertEquals(stdout.length > 0, true);
      await Deno.mkdir(`${folder.path}/up/sub/deep`, { recursive: true });
      for (let i = 0; i < 20; i++) {
        await Deno.writeFile(`${folder.path}/up/sub/ü ${i}`, noise(5000, i));
      }
      await Deno.utime(`${folder.path}/up/sub/ü 0`, 1_500_000_000, 1_500_000_000);
      await run("sync", "--create-empty-src-dirs", "up", `${remote}/all`);
      await run("check", "--download", "up", `${remote}/all`);
      // Times are preserved, so nothing is sent again.
      const before = operations(service).length;
      await run("sync", "up", `${remote}/all`);
      assertEquals(operations(service).length, before);
      assertEquals((await paths(service)).includes("/all/sub/deep"), true);
      await run("moveto", `${remote}/all/sub/ü 1`, `${remote}/moved/one`);
      assertBytes(await content(service, "/moved/one"), noise(5000, 1), "What was moved");
      await run("purge", `${remote}/all`);
      const left = (await paths(service)).filter((path) => !path.endsWith(".bin"));
      assertEquals(left, ["/moved", "/moved/one"]);
      const listed = JSON.parse((await run("lsjson", `${remote}/moved`)).stdout);
      assertEquals(listed.map((one: { Name: string; Size: number }) => [one.Name, one.Size]), [
        ["one", 5000],
      ]);
    },
  );

  clientTest(
    `rclone over ${backend} stores hostile names inside the tree or not at all`,
    ["rclone"],
    async (programs) => {
      await using service = await startFiles();
      await using folder = await scratch();
      const { remote, fails } = await configure(programs.rclone, {
        ...{ backend, service, folder: folder.path },
      });
      await Deno.mkdir(`${folder.path}/up`);
      // It replaces control characters by their Unicode pictures.
      for (const name of ["bell\x07", "line\nline", "back\\..\\..\\..\\..\\up", "ü"]) {
        await Deno.writeFile(`${folder.path}/up/${name}`, noise(3));
      }
      await fails("copy", "up", `${remote}/all`);
      assertEquals(await paths(service), ["/all", "/all/bell␇", "/all/line␊line", "/all/ü", "/up"]);
    },
  );

  clientTest(
    `rclone over ${backend} reports a file over the limit`,
    ["rclone"],
    async (programs) => {
      await using service = await startFiles();
      await using folder = await scratch();
      const { remote, fails } = await configure(programs.rclone, {
        ...{ backend, service, folder: folder.path },
      });
      const { code } = await fails("copyto", await tooLarge(folder.path), `${remote}/big`);
      assertEquals(code !== 0, true);
      assertMatch(
        service.rejected.list({}).map(({ reason }) => reason).join("\n"),
        /at most 67108864/,
      );
      await assertNothingKept(service);
    },
  );

  clientTest(
    `rclone killed in the middle over ${backend} leaves nothing`,
    ["rclone"],
    async (programs) => {
      await using service = await startFiles();
      await using folder = await scratch();
      const { remote, flags } = await configure(programs.rclone, {
        ...{ backend, service, folder: folder.path },
      });
      await Deno.writeFile(`${folder.path}/slow`, noise(10_000_000));
      const child = new Deno.Command(programs.rclone, {
        args: [
          ...[
            ...flags,
            "copyto",
            "--bwlimit",
            "200k",
            "-v",
            "--stats",
            "100ms",
            "--stats-one-line",
          ],
          ...["slow", `${remote}/slow`],
        ],
        cwd: folder.path,
        env: { HOME: folder.path },
        stdout: "null",
        stderr: "piped",
      }).spawn();
      let said = "";
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
        said += text;
        if (/[1-9][\d.]* (Ki?B|k|KiB) \/|[1-9][\d.]* KiB/.test(said)) {
          child.kill("SIGKILL");
          break;
        }
      }
      await child.status;
      if (backend === "ftp") await until(() => service.rejected.list({}).length > 0);
      await assertNothingKept(service);
    },
  );
}
