import { assertEquals } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
} from "../support/files.ts";

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

clientTest("curl moves a file of more than 65 535 blocks over tftp", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  // Beyond 65 535 blocks of 512 bytes, so block numbers start again.
  const bytes = noise(40_000_000);
  await Deno.writeFile(`${folder.path}/up`, bytes);
  const { url } = service.endpoint("tftp");
  await runOk(curl, [...QUIET, "-T", `${folder.path}/up`, `${url}/big`]);
  assertEquals((await content(service, "/big")).length, bytes.length);
  await runOk(curl, [...QUIET, "-o", `${folder.path}/down`, `${url}/big`]);
  const back = await Deno.readFile(`${folder.path}/down`);
  assertEquals(back.every((byte, i) => byte === bytes[i]), true);
  assertEquals(back.length, bytes.length);
});
