import { assertEquals } from "@std/assert";
import { nfs } from "../../plugins/files/nfs/mod.ts";
import { clientTest, findProgram, runOk, runProgram, skipTest } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles } from "../support/files.ts";
import { happened, QUICK } from "../support/nfs.ts";
import type { TestService } from "../support/service.ts";

/** The line that the provider shows, for another folder, and without what a test does not need. */
function mountLine(service: TestService, folder: string): string {
  const values = {} as Parameters<NonNullable<typeof nfs.snippets>>[1];
  const [linux] = nfs.snippets!(service.endpoint("nfs"), values);
  return linux!.code.replaceAll("sudo ", "").replaceAll("/mnt/standin", folder);
}

clientTest(
  "Linux mounts the tree by the line that the provider shows, and works on it",
  ["mount", "umount", "mount.nfs"],
  async ({ umount }, t) => {
    await using service = await startFiles(QUICK);
    await using folder = await scratch();
    const mounted = await runProgram("sh", ["-c", mountLine(service, folder.path)]);
    if (mounted.code !== 0) return skipTest(t, "mount", "may not mount NFS here");
    try {
      const bytes = noise(3_000_000);
      await Deno.writeFile(`${folder.path}/a`, bytes);
      await happened(service, ["upload /a"]);
      assertEquals(await content(service, "/a"), bytes);
      await Deno.mkdir(`${folder.path}/d`);
      await Deno.rename(`${folder.path}/a`, `${folder.path}/d/b`);
      assertEquals(await Deno.readFile(`${folder.path}/d/b`), bytes);
      await happened(service, ["upload /a", "mkdir /d", "rename /a /d/b"]);
      const source = new URL("../support", import.meta.url).pathname;
      for (const [program, ...args] of [["tar", "-C", source, "-cf"], ["rsync", "-a"]] as const) {
        const to = `${folder.path}/${program}`;
        if (findProgram(program) === undefined) continue;
        await Deno.mkdir(to);
        const archive = `${folder.path}/archive`;
        if (program === "rsync") await runOk(program, [...args, `${source}/`, to]);
        else {
          await runOk(program, [...args, archive, "."]);
          await runOk(program, ["-C", to, "-xf", archive]);
        }
        await runOk("diff", ["-r", source, to]);
      }
      await Deno.remove(`${folder.path}/d`, { recursive: true });
      assertEquals((await paths(service)).includes("/d"), false);
      assertEquals(operations(service).slice(-2), ["delete /d/b", "delete /d"]);
    } finally {
      await runOk(umount, [folder.path]);
    }
  },
);
