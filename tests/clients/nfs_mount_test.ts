import { assertEquals } from "@std/assert";
import { nfs } from "../../plugins/files/nfs/mod.ts";
import { clientTest, findProgram, runOk, runProgram, skipTest } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles, until } from "../support/files.ts";
import { happened, QUICK } from "../support/nfs.ts";
import type { TestService } from "../support/service.ts";

/** The command that the provider shows, with another folder and fewer options. */
function mountLine(service: TestService, folder: string): string {
  const values = {} as Parameters<NonNullable<typeof nfs.snippets>>[1];
  const [linux] = nfs.snippets!(service.endpoint("nfs"), values);
  return linux!.code.replaceAll("sudo ", "").replaceAll("/mnt/standin", folder);
}

/** Everyday commands on a mount, and their effect on the tree and the events. */
async function workOn(service: TestService, folder: string): Promise<void> {
  const bytes = noise(3_000_000);
  await Deno.writeFile(`${folder}/a`, bytes);
  await happened(service, ["upload /a"]);
  assertEquals(await content(service, "/a"), bytes);
  await Deno.mkdir(`${folder}/d`);
  await Deno.rename(`${folder}/a`, `${folder}/d/b`);
  assertEquals(await Deno.readFile(`${folder}/d/b`), bytes);
  await happened(service, ["upload /a", "mkdir /d", "rename /a /d/b"]);
  const source = new URL("../support/drivers", import.meta.url).pathname;
  for (const [program, ...args] of [["tar", "-C", source, "-cf"], ["rsync", "-a"]] as const) {
    const to = `${folder}/${program}`;
    if (findProgram(program) === undefined) continue;
    await Deno.mkdir(to);
    const archive = `${folder}/archive`;
    if (program === "rsync") await runOk(program, [...args, `${source}/`, to]);
    else {
      await runOk(program, [...args, archive, "."]);
      await runOk(program, ["-C", to, "-xf", archive]);
    }
    await runOk("diff", ["-r", source, to]);
  }
  if (findProgram("git") !== undefined) await workWithGit(folder);
  await Deno.remove(`${folder}/d`, { recursive: true });
  assertEquals((await paths(service)).includes("/d"), false);
  const done = operations(service).filter((operation) => / \/d(\/|$)/.test(operation));
  assertEquals(done.slice(-2), ["delete /d/b", "delete /d"]);
}

/** A repository on the mount, a commit in it, and a clone of it beside it. */
async function workWithGit(folder: string): Promise<void> {
  const git = (...args: string[]) => runOk("git", args);
  const [first, second] = [`${folder}/first`, `${folder}/second`];
  await git("init", "-q", first);
  await Deno.writeTextFile(`${first}/file`, "one\n".repeat(1000));
  await git("-C", first, "add", ".");
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
  await git("-C", first, ...who, "commit", "-q", "-m", "one");
  await git("clone", "-q", "--no-local", first, second);
  await git("-C", second, "fsck", "--strict");
  assertEquals((await git("-C", second, "status", "--short")).stdout, "");
  assertEquals(await Deno.readTextFile(`${second}/file`), "one\n".repeat(1000));
}

clientTest(
  "Linux mounts the tree with the command that the provider shows, and works on it",
  ["mount", "umount", "mount.nfs"],
  async ({ umount }, t) => {
    await using service = await startFiles(QUICK);
    await using folder = await scratch();
    const mounted = await runProgram("sh", ["-c", mountLine(service, folder.path)]);
    if (mounted.code !== 0) return skipTest(t, "mount", "may not mount NFS here");
    try {
      await workOn(service, folder.path);
    } finally {
      await runOk(umount, [folder.path]);
    }
  },
);

clientTest(
  "FUSE-NFS mounts the tree where the kernel cannot, and programs work on it",
  ["fuse-nfs", "fusermount"],
  async (programs, t) => {
    await using service = await startFiles(QUICK);
    await using folder = await scratch();
    const { port } = service.endpoint("nfs");
    const url = `nfs://127.0.0.1/?version=3&nfsport=${port}&mountport=${port}`;
    await runProgram(programs["fuse-nfs"], ["-n", url, "-m", folder.path]);
    // It goes to the background before the mount has succeeded.
    const isMounted = async (): Promise<boolean> =>
      (await Deno.readTextFile("/proc/mounts")).includes(` ${folder.path} fuse`);
    if (!await until(isMounted).then(() => true, () => false)) {
      return skipTest(t, "fuse-nfs", "may not mount anything here");
    }
    try {
      await workOn(service, folder.path);
    } finally {
      await runOk(programs.fusermount, ["-u", folder.path]);
    }
  },
);
