import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { content, fileEvents, noise, operations, scratch, startFiles } from "../support/files.ts";
import { happened, PATIENT } from "../support/nfs.ts";
import type { TestService } from "../support/service.ts";

/** Two slashes before a file: libnfs treats everything before the last one as the export. */
function urlOf(service: TestService, path: string): string {
  const { hostname, port } = service.endpoint("nfs");
  return `nfs://${hostname}${path}?version=3&nfsport=${port}&mountport=${port}`;
}

clientTest(
  "nfs-cp, nfs-ls and nfs-cat of libnfs move and list files",
  ["nfs-cp", "nfs-ls", "nfs-cat"],
  async (programs) => {
    await using service = await startFiles(PATIENT);
    await using folder = await scratch();
    const up = `${folder.path}/up`;
    for (const size of [0, 1, 4096, 3_000_000]) {
      const bytes = noise(size, size + 1);
      await Deno.writeFile(up, bytes);
      await runOk(programs["nfs-cp"], [up, urlOf(service, `//${size}`)]);
      const down = `${folder.path}/${size}`;
      await runOk(programs["nfs-cp"], [urlOf(service, `//${size}`), down]);
      assertEquals(await Deno.readFile(down), bytes);
    }
    // The client has left: each committed file is one upload.
    const uploads = [0, 1, 4096, 3_000_000].map((size) => `upload /${size}`);
    await happened(service, uploads);
    assertEquals(await content(service, "/3000000"), noise(3_000_000, 3_000_001));
    const [{ meta, payload }] = fileEvents(service) as [ReturnType<typeof fileEvents>[number]];
    assertEquals([payload.provider, payload.transport, meta.auth], ["nfs", "tcp", "unix"]);
    const { stdout } = await runOk(programs["nfs-ls"], [urlOf(service, "/")]);
    for (const size of [0, 1, 4096, 3_000_000]) {
      assertMatch(stdout, new RegExp(`\\b${size} ${size}\\b`));
    }
    const read = await runOk(programs["nfs-cat"], [urlOf(service, "//1")]);
    assertEquals(read.stdout.length, 1);
    const missing = await runProgram(programs["nfs-cat"], [urlOf(service, "//nope")]);
    assertMatch(missing.stderr, /NFS3ERR_NOENT/);
    // It only creates new files.
    const again = await runProgram(programs["nfs-cp"], [up, urlOf(service, "//1")]);
    assertMatch(again.stderr, /NFS3ERR_EXIST/);
    assertEquals(operations(service), uploads);
  },
);

clientTest(
  "a program that uses libnfs works on files, directories and attributes",
  ["cc"],
  async ({ cc }, t) => {
    await using service = await startFiles(PATIENT);
    await using folder = await scratch();
    const program = `${folder.path}/session`;
    const source = new URL("c/nfs_session.c", import.meta.url).pathname;
    const built = await runProgram(cc, ["-Wall", "-o", program, source, "-lnfs"]);
    if (/nfsc\/libnfs\.h|-lnfs/.test(built.stderr)) {
      return skipTest(t, "libnfs", "is not installed with what it takes to build a program");
    }
    assertEquals([built.code, built.stderr], [0, ""]);
    await runOk(program, [urlOf(service, "/")]);
    // A file that was deleted before its completion is not an upload.
    await happened(service, [
      ...["mkdir /d", "upload /d/a", "rename /d/a /b", "mkdir /many"],
      ...["delete /many", "delete /d", "upload /b"],
    ]);
    assertEquals(await content(service, "/b"), new Uint8Array());
    const stat = await service.getJson<{ mod_time: string }>("/files/stat/b");
    assertEquals(stat.mod_time, "2001-02-03T04:05:06.123Z");
    assertEquals(service.log, []);
  },
);

clientTest(
  "fio writes at random through libnfs, and finds what it wrote",
  ["fio"],
  async ({ fio }, t) => {
    const help = await runProgram(fio, ["--enghelp=nfs"]);
    if (!help.stdout.includes("nfs_url")) return skipTest(t, "fio", "is built without libnfs");
    await using service = await startFiles(PATIENT);
    await using folder = await scratch();
    // Its engine cannot wait for bytes to be kept, as it would between writing and checking in one run.
    for (const what of ["--do_verify=0", "--verify_only"]) {
      await runOk(fio, [
        ...["--name=work", "--filename=a", "--ioengine=nfs", `--nfs_url=${urlOf(service, "/")}`],
        ...["--rw=randwrite", "--size=8m", "--bsrange=4k-64k", "--iodepth=16", "--verify=crc32c"],
        what,
      ], { cwd: folder.path });
    }
    // It never commits, so its files are not uploads.
    assertEquals(operations(service), []);
  },
);
