import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Snippet } from "../../core/plugin.ts";
import { ftp } from "../../plugins/files/ftp/mod.ts";
import { nfs } from "../../plugins/files/nfs/mod.ts";
import { sftp } from "../../plugins/files/sftp/mod.ts";
import { tftp } from "../../plugins/files/tftp/mod.ts";
import { findProgram, runOk, skipTest } from "../support/clients.ts";
import { content, scratch, startFiles } from "../support/files.ts";
import type { TestService } from "../support/service.ts";

const PROGRAMS: Readonly<Record<string, string>> = {
  "curl": "curl",
  "lftp": "lftp",
  "tftp-hpa": "tftp",
  "libnfs, without a mount": "nfs-cp",
  "Python (ftplib)": "python3",
};

/** The password is no part of a snippet. */
const PINNED = { username: "o'hara", password: `it's "secret"` };

async function assertUploads(
  t: Deno.TestContext,
  snippetsOf: (service: TestService) => readonly Snippet[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using service = await startFiles(settings);
  await using folder = await scratch();
  for (const { title, lang, code } of snippetsOf(service)) {
    await t.step(title, async (t) => {
      const program = findProgram(PROGRAMS[title] ?? title);
      if (program === undefined) return skipTest(t, title, "is not installed");
      await runOk(lang === "sh" ? "sh" : program, ["-c", code], {
        cwd: folder.path,
        env: { FTP_PASSWORD: PINNED.password },
      });
      assertEquals(new TextDecoder().decode(await content(service, "/hello.txt")), "Hello Ada");
      await service.reset();
    });
  }
}

type FtpValues = Parameters<NonNullable<typeof ftp.snippets>>[1];

Deno.test("every snippet of ftp uploads a file", async (t) => {
  const values = { tls: false } as FtpValues;
  await assertUploads(t, (service) => ftp.snippets!(service.endpoint("ftp"), values));
});

Deno.test("every snippet of ftp uploads a file with pinned credentials over TLS", async (t) => {
  const values = { ...PINNED, tls: true } as FtpValues;
  await assertUploads(t, (service) => {
    const snippets = ftp.snippets!(service.endpoint("ftp"), values);
    assert(!JSON.stringify(snippets).includes("it's"));
    return snippets;
  }, { ftp: values });
});

Deno.test("every snippet of sftp uploads a file", async (t) => {
  for (const username of [undefined, "ada b"]) {
    const values = { username } as Parameters<NonNullable<typeof sftp.snippets>>[1];
    await assertUploads(t, (service) => sftp.snippets!(service.endpoint("sftp"), values));
  }
});

Deno.test("every snippet of tftp uploads a file", async (t) => {
  const values = { port: 0, timeout_seconds: 5, retries: 5 };
  await assertUploads(t, (service) => tftp.snippets!(service.endpoint("tftp"), values));
});

Deno.test("every snippet of nfs that needs no mount uploads a file", async (t) => {
  const values = {} as Parameters<NonNullable<typeof nfs.snippets>>[1];
  const isMount = ({ code }: Snippet): boolean => code.includes("sudo mount");
  await assertUploads(
    t,
    (service) =>
      nfs.snippets!(service.endpoint("nfs"), values).filter((snippet) => !isMount(snippet)),
  );
});

Deno.test("the lines that mount nfs name the live port, for the export and for MOUNT", async () => {
  await using service = await startFiles();
  const values = {} as Parameters<NonNullable<typeof nfs.snippets>>[1];
  const at = service.endpoint("nfs");
  const [linux, mac] = nfs.snippets!(at, values);
  for (const { code } of [linux!, mac!]) {
    assertStringIncludes(code, `port=${at.port},mountport=${at.port},`);
    assertStringIncludes(code, " 127.0.0.1:/ ");
  }
});
