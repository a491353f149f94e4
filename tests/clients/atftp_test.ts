import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, type Finished, runOk, runProgram } from "../support/clients.ts";
import { fileEvents, noise, operations, paths, scratch, startFiles } from "../support/files.ts";
import { assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";
import type { TestService } from "../support/service.ts";

const MIB = 1024 * 1024;

function client(atftp: string, service: TestService) {
  const { hostname, port } = service.endpoint("tftp");
  return {
    put: (local: string, path: string, ...options: readonly string[]): readonly string[] => [
      ...[atftp, ...asked(options), "--put", "-l", local, "-r", path, hostname, String(port)],
    ],
    get: (path: string, local: string, ...options: readonly string[]): readonly string[] => [
      ...[atftp, ...asked(options), "--get", "-r", path, "-l", local, hostname, String(port)],
    ],
  };
}

function asked(options: readonly string[]): readonly string[] {
  return options.flatMap((option) => ["--option", option]);
}

function run([program, ...args]: readonly string[]): Promise<Finished> {
  return runOk(program!, args);
}

clientTest(
  "atftp transfers files in both directions, with and without options",
  ["atftp"],
  async ({ atftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { put, get } = client(atftp, service);
    for (
      const [dir, sizes, options] of [
        ["/plain/", [0, 5, 512, MIB], []],
        ["/large/", [0, 5, 65_464, 64 * MIB], ["blksize 65464"]],
        ["/window/", [0, 1428, MIB], ["blksize 1428", "windowsize 8", "tsize 0", "timeout 3"]],
      ] as const
    ) {
      await assertMoved(service, {
        put: (local, path) => run(put(local, path, ...options)),
        get: (path, local) => run(get(path, local, ...options)),
      }, { folder: folder.path, sizes, dir });
    }
    const { meta } = fileEvents(service).at(-1)!;
    assertEquals([meta.mode, meta.block_size, meta.tsize_declared], ["octet", 1428, MIB]);
  },
);

clientTest("atftp reports a file over the limit", ["atftp"], async ({ atftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { put } = client(atftp, service);
  const path = await tooLarge(folder.path);
  for (const options of [["blksize 65464", "tsize 0"], ["blksize 65464"]]) {
    const [program, ...args] = put(path, "/big", ...options);
    const { stderr } = await runProgram(program!, args);
    assertMatch(stderr, /at most 67108864/);
  }
  await assertNothingKept(service);
});

clientTest(
  "atftp is refused hostile paths, and the next client is served",
  ["atftp"],
  async ({ atftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { put, get } = client(atftp, service);
    await Deno.writeFile(`${folder.path}/up`, noise(3));
    await run(put(`${folder.path}/up`, "../../../up"));
    await run(put(`${folder.path}/up`, "a\\..\\..\\b"));
    for (
      const path of ["bell\x07", "del\x7f", "d/".repeat(33) + "f", "../../../etc/passwd"]
    ) {
      const [program, ...args] = path.includes("etc")
        ? get(path, `${folder.path}/down`)
        : put(`${folder.path}/up`, path);
      const { stderr } = await runProgram(program!, args);
      assertMatch(stderr, /Cannot (use|find)/, path);
    }
    await run(get("up", `${folder.path}/back`));
    assertEquals(await Deno.readFile(`${folder.path}/back`), noise(3));
    assertEquals(await paths(service), ["/b", "/up"]);
    assertEquals(operations(service), ["upload /up", "upload /b"]);
  },
);
