import { assertEquals } from "@std/assert";
import { clientTest, runOk } from "../support/clients.ts";
import { content, operations, paths, startFiles } from "../support/files.ts";

const SCRIPT = new URL("./python/ftplib_calls.py", import.meta.url).pathname;

clientTest("ftplib stores, resumes, lists, aborts", ["python3"], async ({ python3 }) => {
  await using service = await startFiles();
  const { hostname, port } = service.endpoint("ftp");
  const { stdout } = await runOk(python3, [SCRIPT, hostname, String(port)]);
  assertEquals(JSON.parse(stdout), {
    pwd: "/box",
    size: 25_600,
    nlst: ["a.bin", "b.bin", "lines.txt"],
    wild: ["a.bin", "b.bin"],
    mlsd: [["box", "dir"]],
    b: "0123XY",
    abort: "426",
    after: "226",
    alive: "200",
    rmd: "550",
    big: "552",
    hostile: ["226", "553", "553", "553", "553", "500", "501"],
  });
  assertEquals(await paths(service), [
    "/box",
    "/box/a",
    "/box/a.bin",
    "/box/a/b",
    "/box/lines.txt",
  ]);
  // Bytes are stored as received, whatever the type.
  assertEquals(
    new TextDecoder().decode(await content(service, "/box/lines.txt")),
    "one\r\ntwo\r\n",
  );
  assertEquals(operations(service), [
    "mkdir /box",
    "upload /box/a.bin",
    "upload /box/lines.txt",
    "upload /box/b.bin",
    "upload /box/b.bin",
    "rename /box/b.bin /box/c.bin",
    "delete /box/c.bin",
    "mkdir /box/a",
    "upload /box/a/b",
  ]);
});
