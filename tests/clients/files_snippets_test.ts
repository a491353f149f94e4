import { assertEquals } from "@std/assert";
import { ftp } from "../../plugins/files/ftp/mod.ts";
import { findProgram, runOk, skipTest } from "../support/clients.ts";
import { content, scratch, startFiles } from "../support/files.ts";

const PROGRAMS: Readonly<Record<string, string>> = {
  "curl": "curl",
  "lftp": "lftp",
  "Python (ftplib)": "python3",
};

Deno.test("every snippet of ftp uploads a file", async (t) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const values = { username: undefined, password: undefined } as Parameters<
    NonNullable<typeof ftp.snippets>
  >[1];
  for (const { title, lang, code } of ftp.snippets!(service.endpoint("ftp"), values)) {
    await t.step(title, async (t) => {
      const program = findProgram(PROGRAMS[title] ?? title);
      if (program === undefined) return skipTest(t, title, "is not installed");
      const [run, flag] = lang === "sh" ? ["sh", "-c"] as const : [program, "-c"] as const;
      await runOk(run, [flag, code], { cwd: folder.path });
      assertEquals(new TextDecoder().decode(await content(service, "/hello.txt")), "Hello Ada");
      await service.reset();
    });
  }
});
