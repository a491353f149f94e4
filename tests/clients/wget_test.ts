import { assert, assertEquals } from "@std/assert";
import { clientTest, type Finished, runOk, runProgram } from "../support/clients.ts";
import { content, noise, operations, scratch, startFiles } from "../support/files.ts";
import { assertBytes } from "../support/real_client.ts";
import { FtpClient } from "../support/ftp.ts";

const QUIET = ["--no-verbose", "--no-proxy", "--tries=1", "--timeout=10", "--no-netrc"];

clientTest("wget fetches files of many sizes", ["wget"], async ({ wget }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await using client = await FtpClient.open(service);
  const { url } = service.endpoint("ftp");
  for (const size of [0, 5, 1024 * 1024]) {
    await client.put(`STOR dir/${size}`, noise(size, size));
    await runOk(wget, [...QUIET, "-O", `${folder.path}/down`, `${url}/dir/${size}`]);
    assertBytes(await Deno.readFile(`${folder.path}/down`), noise(size, size), `${size}`);
    assertBytes(await content(service, `/dir/${size}`), noise(size, size), `${size}`);
  }
});

clientTest("wget resumes, and fetches a tree", ["wget"], async ({ wget }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await using client = await FtpClient.open(service);
  const { url, hostname, port } = service.endpoint("ftp");
  const bytes = noise(300_000);
  await client.put("STOR tree/big", bytes);
  await client.put("STOR tree/sub/small", noise(10));
  await Deno.writeFile(`${folder.path}/big`, bytes.subarray(0, 100_001));
  const { stderr } = await runOk(wget, [...QUIET, "--continue", `${url}/tree/big`], {
    cwd: folder.path,
  });
  assert(!stderr.includes("big.1"));
  assertBytes(await Deno.readFile(`${folder.path}/big`), bytes, "What was resumed");
  await runOk(wget, [...QUIET, "--recursive", `${url}/tree/`], { cwd: folder.path });
  const tree = `${folder.path}/${hostname}:${port}/tree`;
  const found = await Deno.stat(tree).then(() => tree, () => `${folder.path}/${hostname}/tree`);
  assertBytes(await Deno.readFile(`${found}/big`), bytes, "The tree");
  assertBytes(await Deno.readFile(`${found}/sub/small`), noise(10), "The tree");
  const before = operations(service);
  assertEquals(before.filter((one) => one.startsWith("upload")).length, 2);
});

clientTest("wget gets nothing with a hostile path", ["wget"], async ({ wget }) => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.put("STOR in.txt", noise(3));
  const { url } = service.endpoint("ftp");
  const get = (path: string): Promise<Finished> =>
    runProgram(wget, [...QUIET, "-O", "-", `${url}/${path}`]);
  for (
    const path of [
      ...["..%2f..%2f..%2fetc/passwd", "%2fetc/passwd", "..%5c..%5cetc%5cpasswd", "a%00b"],
      ...["%ff%fe", "n".repeat(256), "n".repeat(5000), "in.txt/x"],
    ]
  ) {
    const { code, stdout } = await get(path);
    assertEquals([path, code !== 0, stdout], [path, true, ""]);
  }
  // The parent of the root is the root.
  assertEquals((await get("..%2f..%2fin.txt")).code, 0);
});
