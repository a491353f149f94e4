import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import { assertFifty, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";

const QUIET = ["--silent", "--show-error", "--noproxy", "*"];

clientTest("curl uploads and downloads over tftp", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { url } = service.endpoint("tftp");
  for (
    const [size, block] of [[0, 512], [511, 512], [512, 512], [70_000, 1432], [
      3_000_000,
      65_464,
    ]] as const
  ) {
    const bytes = noise(size, size + 1);
    await Deno.writeFile(`${folder.path}/up`, bytes);
    const more = ["--tftp-blksize", String(block)];
    await runOk(curl, [...QUIET, ...more, "-T", `${folder.path}/up`, `${url}/dir/${size}`]);
    assertEquals(await content(service, `/dir/${size}`), bytes);
    await runOk(curl, [...QUIET, ...more, "-o", `${folder.path}/down`, `${url}/dir/${size}`]);
    assertEquals(await Deno.readFile(`${folder.path}/down`), bytes);
  }
  assertEquals(fileEvents(service)[1]?.meta, { mode: "octet", block_size: 512, tsize_declared: 0 });
  const missing = await runProgram(curl, [...QUIET, "-o", `${folder.path}/x`, `${url}/nope`]);
  // CURLE_TFTP_NOTFOUND
  assertEquals(missing.code, 68);
});

clientTest("tftp-hpa puts and gets, in both modes", ["tftp"], async ({ tftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("tftp");
  const run = (mode: string, ...command: string[]) =>
    runOk(tftp, ["-m", mode, hostname, String(port), "-c", ...command], { cwd: folder.path });
  const bytes = noise(5000);
  await Deno.writeFile(`${folder.path}/a.bin`, bytes);
  await run("binary", "put", "a.bin");
  assertEquals(await content(service, "/a.bin"), bytes);
  await run("binary", "get", "a.bin", "back.bin");
  assertEquals(await Deno.readFile(`${folder.path}/back.bin`), bytes);
  const text = "one\ntwo\rthree\r\n".repeat(100);
  await Deno.writeTextFile(`${folder.path}/t.txt`, text);
  await run("netascii", "put", "t.txt");
  assertEquals(new TextDecoder().decode(await content(service, "/t.txt")), text);
  await run("netascii", "get", "t.txt", "back.txt");
  assertEquals(await Deno.readTextFile(`${folder.path}/back.txt`), text);
  assertEquals(operations(service), ["upload /a.bin", "upload /t.txt"]);
  assertEquals(await paths(service), ["/a.bin", "/t.txt"]);
});

clientTest(
  "tftp-hpa transfers files of many sizes, and is refused hostile paths",
  ["tftp"],
  async ({ tftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { hostname, port } = service.endpoint("tftp");
    const run = (...command: string[]) =>
      runProgram(tftp, ["-m", "binary", hostname, String(port), "-c", ...command]);
    await assertMoved(service, {
      put: (local, path) => run("put", local, path),
      get: (path, local) => run("get", path, local),
    }, { folder: folder.path, sizes: [0, 511, 512, 513, 1024 * 1024] });
    await Deno.writeFile(`${folder.path}/up`, noise(3));
    const before = (await paths(service)).length;
    for (const path of ["bell\x07", "n".repeat(256), "d/".repeat(33) + "f"]) {
      assertMatch(
        (await run("put", `${folder.path}/up`, path)).stdout,
        /Error code 2: Cannot use path/,
      );
    }
    assertEquals((await paths(service)).length, before);
    await run("put", `${folder.path}/up`, "../../../up");
    assertEquals(await content(service, "/up"), noise(3));
  },
);

clientTest(
  "curl transfers a file of more than 65 535 blocks over tftp",
  ["curl"],
  async ({ curl }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    // Beyond 65 535 blocks of 512 bytes, so block numbers start again.
    const bytes = noise(33_600_000);
    await Deno.writeFile(`${folder.path}/up`, bytes);
    const { url } = service.endpoint("tftp");
    await runOk(curl, [...QUIET, "-T", `${folder.path}/up`, `${url}/big`]);
    assertEquals((await content(service, "/big")).length, bytes.length);
    await runOk(curl, [...QUIET, "-o", `${folder.path}/down`, `${url}/big`]);
    const back = await Deno.readFile(`${folder.path}/down`);
    assertEquals(back.every((byte, i) => byte === bytes[i]), true);
    assertEquals(back.length, bytes.length);
  },
);

clientTest("curl reports a file over the limit over tftp", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { url } = service.endpoint("tftp");
  const args = [...QUIET, "--tftp-blksize", "65464", "-T", await tooLarge(folder.path)];
  // It announces the size: CURLE_REMOTE_DISK_FULL, CURLE_TFTP_ILLEGAL or CURLE_SEND_ERROR.
  const { code } = await runProgram(curl, [...args, `${url}/big`]);
  assert(code !== 0);
  assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /at most 67108864/);
  await assertNothingKept(service);
});

clientTest(
  "curl killed in the middle of a tftp upload leaves nothing",
  ["curl"],
  async ({ curl }) => {
    await using service = await startFiles({ tftp: { timeout_seconds: 1, retries: 1 } });
    const child = new Deno.Command(curl, {
      args: [
        "--verbose",
        ...QUIET,
        "--tftp-no-options",
        "-T",
        "-",
        `${service.endpoint("tftp").url}/half`,
      ],
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(noise(30_000));
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (/Connected for transmit/.test(said)) break;
    }
    child.kill("SIGKILL");
    await child.status;
    await writer.abort().catch(() => {});
    await until(() => service.rejected.list({}).length > 0);
    assertMatch(service.rejected.list({})[0]!.reason, /stopped answering/);
    await assertNothingKept(service);
  },
);

clientTest("curl is refused hostile paths over tftp", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  const put = async (path: string): Promise<boolean> => {
    const args = [...QUIET, "--path-as-is", "-T", "-", `${service.endpoint("tftp").url}/${path}`];
    return (await runProgram(curl, args, { stdin: "x" })).code === 0;
  };
  assertEquals(await put("../../../up"), true);
  assertEquals(await put("a%5c..%5c..%5cb"), true);
  const refused = ["bell%07", "a%00b", "%ff%fe", "n".repeat(256), "d/".repeat(33) + "f"];
  for (const path of [...refused, "n".repeat(5000)]) {
    assertEquals([path, await put(path)], [path, false]);
  }
  assertEquals(await paths(service), ["/b", "/up"]);
});

clientTest("fifty clients of tftp upload at once", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { url } = service.endpoint("tftp");
  await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    await Deno.writeFile(`${folder.path}/${i}`, noise(20_000, i));
    await runOk(curl, [...QUIET, "-T", `${folder.path}/${i}`, `${url}/all/${i}`]);
  }));
  await assertFifty(service, { dir: "/all/", bytes: 20_000 });
});
