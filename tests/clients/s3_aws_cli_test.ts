import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { requireClient, requirePython, runOk, runProgram } from "../support/clients.ts";
import { noise, scratch } from "../support/files.ts";
import { startStore, type Store } from "../support/s3.ts";

const ENV = {
  AWS_ACCESS_KEY_ID: "any",
  AWS_SECRET_ACCESS_KEY: "any",
  AWS_DEFAULT_REGION: "us-east-1",
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  AWS_PAGER: "",
  NO_PROXY: "*",
};

const MIB = 1024 * 1024;
const UNICODE = "ü +/☃?.txt";

/** The program of one major version: the first comes from the package registry of Python, the second from the system. */
async function requireAws(t: Deno.TestContext, major: 1 | 2): Promise<string | undefined> {
  if (major === 1) return (await requirePython(t))?.replace(/python$/, "aws");
  return requireClient(t, "aws");
}

/** Ways to call the program in its own folder. */
interface Cli {
  /** Runs `aws s3 ...`, and returns its output. */
  s3(...args: string[]): Promise<string>;
  /** Runs `aws s3api ...`, and returns its JSON output. */
  api<T = Record<string, string>>(...args: string[]): Promise<T>;
  /** Runs `aws s3api ...`, which must be refused, and returns its message. */
  refused(...args: string[]): Promise<string>;
}

function cliOf(aws: string, at: { url: string; cwd: string }): Cli {
  const options = { env: ENV, cwd: at.cwd, timeoutMs: 60_000 };
  const all = (args: readonly string[]) => ["--endpoint-url", at.url, "--output", "json", ...args];
  return {
    s3: async (...args) => (await runOk(aws, all(["s3", ...args]), options)).stdout,
    async api<T>(...args: string[]) {
      const { stdout } = await runOk(aws, all(["s3api", ...args]), options);
      return (stdout === "" ? undefined : JSON.parse(stdout)) as T;
    },
    async refused(...args) {
      const { code, stderr } = await runProgram(aws, all(["s3api", ...args]), options);
      assert(code !== 0, `aws s3api ${args.join(" ")} was taken`);
      return stderr;
    },
  };
}

for (const major of [1, 2] as const) {
  Deno.test(`the aws CLI of version ${major} makes every kind of call`, async (t) => {
    const aws = await requireAws(t, major);
    if (aws === undefined) return;
    await using folder = await scratch();
    await using store = await startStore({ buckets: [] });
    const cli = cliOf(aws, { url: store.service.endpoint("http").url, cwd: folder.path });
    await Deno.writeFile(`${folder.path}/empty`, new Uint8Array());
    await Deno.writeTextFile(`${folder.path}/small`, "Hello");
    await Deno.writeFile(`${folder.path}/big`, noise(64 * MIB));
    await cli.s3("mb", "s3://story");
    await objects(cli, folder.path);
    await transfers(cli, folder.path, major);
    await multipart(cli);
    await listings(cli);
    await ends(cli, store);
  });
}

/** Bucket and key. */
const at = (key: string): string[] => ["--bucket", "story", "--key", key];

async function objects({ api, refused }: Cli, folder: string): Promise<void> {
  const about = ["--content-type", "text/plain", "--metadata", "colour=blue"];
  const { ETag } = await api("put-object", ...at(UNICODE), "--body", "small", ...about);
  const got = await api<{ ContentType: string; Metadata: unknown }>(
    ...["get-object", ...at(UNICODE), "--range", "bytes=1-3", "part"],
  );
  assertEquals([got.ContentType, got.Metadata], ["text/plain", { colour: "blue" }]);
  assertEquals(await Deno.readTextFile(`${folder}/part`), "ell");
  await api("copy-object", ...at("copy"), "--copy-source", `story/${UNICODE}`);
  const match = await refused("get-object", ...at("copy"), "--if-match", '"x"', "no");
  assertMatch(match, /PreconditionFailed/);
  assertMatch(await refused("get-object", ...at("copy"), "--if-none-match", ETag!, "no"), /304/);
}

/** The high-level commands transfer in parts. */
async function transfers({ s3, api }: Cli, folder: string, major: number): Promise<void> {
  await s3("cp", "big", "s3://story/dir/big", "--no-progress");
  const tagging = JSON.stringify({ TagSet: [{ Key: "kind", Value: "big one" }] });
  await api("put-object-tagging", ...at("dir/big"), "--tagging", tagging);
  // In multipart copies, version 2 copies tags, and version 1 does not.
  await s3("mv", "s3://story/dir/big", "s3://story/moved", "--no-progress");
  const { TagSet } = await api<{ TagSet: unknown[] }>("get-object-tagging", ...at("moved"));
  assertEquals(TagSet, major === 1 ? [] : [{ Key: "kind", Value: "big one" }]);
  await s3("cp", "s3://story/moved", "back", "--no-progress");
  assertEquals(await Deno.readFile(`${folder}/back`), noise(64 * MIB));
  const pick = ["--exclude", "*", "--include", "small", "--include", "empty"];
  await s3("sync", ".", "s3://story/synced", ...pick);
  const signed = (await s3("presign", "s3://story/synced/small")).trim();
  assertEquals(await (await fetch(signed)).text(), "Hello");
}

async function multipart({ api, refused }: Cli): Promise<void> {
  const begin = async (key: string) => {
    const { UploadId } = await api("create-multipart-upload", ...at(key));
    return [...at(key), "--upload-id", UploadId!];
  };
  const gone = await begin("aborted");
  await api("abort-multipart-upload", ...gone);
  assertMatch(await refused("list-parts", ...gone), /NoSuchUpload/);

  const place = await begin("resumed");
  const { ETag } = await api("upload-part", ...place, "--part-number", "1", "--body", "small");
  const listed = await api<{ Parts: { PartNumber: number }[] }>("list-parts", ...place);
  const Parts = listed.Parts.map(({ PartNumber }) => ({ PartNumber, ETag }));
  const parts = JSON.stringify({ Parts });
  await api("complete-multipart-upload", ...place, "--multipart-upload", parts);
}

async function listings({ api }: Cli): Promise<void> {
  const query = ["--query", "Contents[].Key"];
  const keys = await api<string[]>(
    ...["list-objects-v2", "--bucket", "story", "--page-size", "2", ...query],
  );
  const synced = ["synced/empty", "synced/small"];
  assertEquals(keys, ["copy", "moved", "resumed", ...synced, UNICODE]);
  const named = JSON.stringify({ Objects: ["copy", UNICODE, "never"].map((Key) => ({ Key })) });
  const { Deleted } = await api<{ Deleted: unknown[] }>(
    ...["delete-objects", "--bucket", "story", "--delete", named],
  );
  assertEquals(Deleted.length, 3);
}

async function ends({ s3 }: Cli, { service }: Store): Promise<void> {
  assertStringIncludes(await s3("ls", "s3://story", "--recursive"), "67108864 moved");
  await s3("rb", "s3://story", "--force");
  const types = service.events.list({ plugin: "s3" }).map(({ type }) => type);
  assertEquals([types.at(0), types.at(-1)], ["s3.bucket.delete", "s3.bucket.create"]);
}

for (const major of [1, 2] as const) {
  Deno.test(`version ${major} of the aws CLI writes, lists, reads and deletes versions`, async (t) => {
    const aws = await requireAws(t, major);
    if (aws === undefined) return;
    await using store = await startStore();
    await using folder = await scratch();
    const cli = cliOf(aws, { url: store.service.endpoint("http").url, cwd: folder.path });
    const at = ["--bucket", "box", "--key", "a"];
    const status = ["--versioning-configuration", "Status=Enabled"];
    await cli.api("put-bucket-versioning", "--bucket", "box", ...status);
    assertEquals(await cli.api("get-bucket-versioning", "--bucket", "box"), { Status: "Enabled" });
    await Deno.writeTextFile(`${folder.path}/one`, "one");
    const one = (await cli.api("put-object", ...at, "--body", "one")).VersionId!;
    await cli.s3("cp", "one", "s3://box/a");
    const marker = await cli.api<{ DeleteMarker: boolean }>("delete-object", ...at);
    assertEquals(marker.DeleteMarker, true);
    await cli.api("get-object", ...at, "--version-id", one, "got");
    assertEquals(await Deno.readTextFile(`${folder.path}/got`), "one");
    interface Listed {
      readonly Versions?: readonly { readonly VersionId: string }[];
      readonly DeleteMarkers?: readonly { readonly VersionId: string }[];
    }
    const list = (...more: string[]) =>
      cli.api<Listed>("list-object-versions", "--bucket", "box", ...more);
    const { Versions = [], DeleteMarkers = [] } = await list("--page-size", "1");
    assertEquals([Versions.length, DeleteMarkers.length, Versions[1]!.VersionId], [2, 1, one]);
    for (const { VersionId } of [...Versions, ...DeleteMarkers]) {
      await cli.api("delete-object", ...at, "--version-id", VersionId);
    }
    assertEquals((await list())?.Versions, undefined);
    await cli.s3("rb", "s3://box");
  });
}
