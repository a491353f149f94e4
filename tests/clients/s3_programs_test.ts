import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { clientTest, runOk, type RunOptions, runProgram } from "../support/clients.ts";
import { noise, scratch } from "../support/files.ts";
import { begin, md5Of, pick, sendPart, startStore } from "../support/s3.ts";

const MIB = 1024 * 1024;
const UNICODE = "ü +/☃?.txt";

clientTest("s3cmd makes every kind of call", ["s3cmd"], async ({ s3cmd }) => {
  await using store = await startStore({ buckets: [] });
  await using folder = await scratch();
  const { hostname, port, url } = store.service.endpoint("http");
  const host = `${hostname}:${port}`;
  const config = `${folder.path}/config`;
  // The configuration that `s3cmd --configure` would write.
  await Deno.writeTextFile(
    config,
    `[default]\naccess_key = any\nsecret_key = any\nhost_base = ${host}\nhost_bucket = ${host}\n` +
      "use_https = False\n",
  );
  const run = async (...args: string[]): Promise<string> =>
    (await runOk(s3cmd, ["-c", config, "--no-progress", ...args], { cwd: folder.path })).stdout;
  await Deno.writeTextFile(`${folder.path}/small`, "Hello");
  await Deno.writeFile(`${folder.path}/empty`, new Uint8Array());
  await Deno.writeFile(`${folder.path}/big`, noise(64 * MIB));

  await run("mb", "s3://story");
  await run("put", "empty", "s3://story/empty");
  const header = ["--add-header", "x-amz-meta-colour:blue", "-m", "text/plain"];
  await run("put", ...header, "small", `s3://story/${UNICODE}`);
  // Parts of 15 MiB by default.
  await run("put", "big", "s3://story/big");
  await run("get", "s3://story/big", "back");
  assertEquals(await Deno.readFile(`${folder.path}/back`), noise(64 * MIB));
  await run("cp", `s3://story/${UNICODE}`, "s3://story/copy");
  await run("mv", "s3://story/copy", "s3://story/dir/moved");
  const about = await run("info", "s3://story/dir/moved");
  assertMatch(about, /x-amz-meta-colour: blue/);
  assertMatch(about, /MIME type: +text\/plain/);
  assertMatch(await run("ls", "s3://story"), /DIR +s3:\/\/story\/dir\/\n/);
  const all = await run("ls", "-r", "s3://story");
  assertEquals(all.match(/s3:\/\/.*/g), [
    "s3://story/big",
    "s3://story/dir/moved",
    "s3://story/empty",
    `s3://story/${UNICODE}`,
  ]);
  const signed = (await run("signurl", "s3://story/dir/moved", "+60")).trim();
  assertEquals(await (await fetch(signed)).text(), "Hello");

  const id = await begin(store, "/story/unfinished");
  await sendPart(store, `/story/unfinished?uploadId=${id}&partNumber=1`, "x");
  assertStringIncludes(await run("multipart", "s3://story"), id);
  assertStringIncludes(await run("listmp", "s3://story/unfinished", id), "\t1\t");
  await run("abortmp", "s3://story/unfinished", id);
  assertEquals(await store.code("GET", `/story/unfinished?uploadId=${id}`), "404 NoSuchUpload");
  const taken = new Set((await run("la")).match(/s3:\/\/\w+/g));
  assertEquals([...taken], ["s3://story"]);
  await run("del", "--recursive", "--force", "s3://story");
  await run("rb", "s3://story");
  assertEquals(pick(await (await fetch(url)).text(), "Name"), []);
});

clientTest("rclone makes every kind of call", ["rclone"], async ({ rclone }) => {
  await using store = await startStore({ buckets: [] });
  await using folder = await scratch();
  const { url } = store.service.endpoint("http");
  const env = {
    NO_PROXY: "*",
    // It has its own transport, which accepts no CA bundle.
    AWS_CA_BUNDLE: "",
    RCLONE_CONFIG: `${folder.path}/none`,
    RCLONE_CONFIG_S3_TYPE: "s3",
    RCLONE_CONFIG_S3_PROVIDER: "Other",
    RCLONE_CONFIG_S3_ENDPOINT: url,
    RCLONE_CONFIG_S3_ACCESS_KEY_ID: "any",
    RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: "any",
  };
  const run = async (args: readonly string[], more: RunOptions = {}): Promise<string> =>
    (await runOk(rclone, args, { env, cwd: folder.path, ...more })).stdout;
  await Deno.mkdir(`${folder.path}/tree/dir`, { recursive: true });
  await Deno.writeFile(`${folder.path}/tree/empty`, new Uint8Array());
  await Deno.writeTextFile(`${folder.path}/tree/dir/☃ +ü.txt`, "Hello");
  await Deno.writeFile(`${folder.path}/tree/big`, noise(64 * MIB));

  await run(["mkdir", "s3:story"]);
  await run(["copy", "tree", "s3:story/kept", "--s3-upload-cutoff", "10Mi"]);
  await run(["check", "tree", "s3:story/kept", "--download"]);
  assertEquals(await run(["cat", "s3:story/kept/dir", "--offset", "1", "--count", "3"]), "ell");
  // From standard input, its length is unknown.
  await run(["rcat", "s3:story/piped"], { stdin: "Hello" });
  await run(["copyto", "s3:story/kept/big", "s3:story/copy", "--s3-copy-cutoff", "20Mi"]);
  await run(["moveto", "s3:story/piped", "s3:story/moved"]);
  const list = (await run(["lsf", "-R", "--files-only", "s3:story"])).trim().split("\n").sort();
  assertEquals(list, ["copy", "kept/big", "kept/dir/☃ +ü.txt", "kept/empty", "moved"]);
  assertMatch(await run(["lsl", "s3:story/copy"]), /67108864 /);
  // The time of a file is stored as metadata, and changed by a copy onto itself.
  await run(["touch", "-t", "2020-01-02T03:04:05", "s3:story/moved"]);
  assertMatch(await run(["lsl", "s3:story/moved"]), /5 2020-01-02 03:04:05/);
  const signed = (await run(["link", "--expire", "1h", "s3:story/moved"])).trim();
  assertEquals(await (await fetch(signed)).text(), "Hello");

  await begin(store, "/story/unfinished");
  assertStringIncludes(
    await run(["backend", "list-multipart-uploads", "s3:story"]),
    '"unfinished"',
  );
  await run(["backend", "cleanup", "-o", "max-age=0s", "s3:story"]);
  assertEquals(pick(await store.text("GET", "/story?uploads", 200), "Key"), []);
  const missing = await runProgram(rclone, ["lsf", "s3:nothing"], { env });
  assertStringIncludes(missing.stderr, "directory not found");
  await run(["sync", "tree/dir", "s3:story"]);
  assertEquals(await run(["lsf", "-R", "--files-only", "s3:story"]), "☃ +ü.txt\n");
  await run(["purge", "s3:story"]);
  assertEquals(await run(["lsd", "s3:"]), "");
});

clientTest("curl signs every kind of call", ["curl"], async ({ curl }) => {
  await using store = await startStore({ buckets: [] });
  await using folder = await scratch();
  const { url } = store.service.endpoint("http");
  const sign = ["--aws-sigv4", "aws:amz:eu-west-1:s3", "--user", "any:any"];
  const run = async (args: readonly string[], stdin?: string | Uint8Array): Promise<string> => {
    const options = { cwd: folder.path, ...(stdin === undefined ? {} : { stdin }) };
    return (await runOk(curl, ["-sS", "--path-as-is", ...sign, ...args], options)).stdout;
  };
  const status = (args: readonly string[]) => run(["-o", "answer", "-w", "%{http_code}", ...args]);
  await Deno.writeFile(`${folder.path}/big`, noise(64 * MIB));
  await Deno.writeFile(`${folder.path}/empty`, new Uint8Array());

  assertEquals(await status(["-X", "PUT", `${url}/story`]), "200");
  // From standard input it is sent in chunks; a file of this size with "Expect: 100-continue".
  await run(["-T", "-", "-H", "x-amz-meta-colour: blue", `${url}/story/a`], "Hello");
  assertEquals(await status(["-T", "empty", `${url}/story/empty`]), "200");
  assertEquals(await status(["-T", "big", `${url}/story/dir/../big`]), "200");
  await run(["-o", "back", `${url}/story/dir/../big`]);
  assertEquals(await Deno.readFile(`${folder.path}/back`), noise(64 * MIB));
  assertEquals(await run(["-r", "1-3", `${url}/story/a`]), "ell");
  const head = await run(["-I", `${url}/story/a`]);
  assertMatch(head, /^x-amz-meta-colour: blue\r$/m);
  const etag = /^etag: (.*)\r$/im.exec(head)![1]!;
  assertEquals(await status(["-H", `If-None-Match: ${etag}`, `${url}/story/a`]), "304");
  assertEquals(await status(["-H", 'If-Match: "x"', `${url}/story/a`]), "412");
  const key = encodeURIComponent(UNICODE);
  const copy = ["-X", "PUT", "-H", "x-amz-copy-source: story/a"];
  assertEquals(await status([...copy, `${url}/story/${key}`]), "200");
  assertEquals(await run([`${url}/story/${key}`]), "Hello");

  const begun = await run(["-X", "POST", `${url}/story/m?uploads=`]);
  const at = `${url}/story/m?uploadId=${pick(begun, "UploadId")[0]}`;
  assertEquals(await status(["-X", "DELETE", at]), "204");
  assertEquals(await status([at]), "404");
  const page = await run([`${url}/story?list-type=2&max-keys=2`]);
  assertEquals([pick(page, "Key"), pick(page, "IsTruncated")], [["a", "dir/../big"], ["true"]]);
  const named = ["a", "dir/../big", "empty", UNICODE, "never"].map((key) =>
    `<Object><Key>${key}</Key></Object>`
  );
  const body = `<Delete>${named.join("")}</Delete>`;
  const post = ["-X", "POST", "--data-binary", "@-", `${url}/story?delete=`];
  assertEquals(pick(await run(post, body), "Code"), ["InvalidRequest"]);
  const done = await run(["-H", `content-md5: ${md5Of(body)}`, ...post], body);
  assertEquals(pick(done, "Key").length, 5);
  assertEquals(await status(["-X", "DELETE", `${url}/story`]), "204");
  const [event] = store.service.events.list({ type: "s3.object.put" });
  assertEquals([event!.meta.access_key, event!.meta.region], ["any", "eu-west-1"]);
});
