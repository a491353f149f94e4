/** Python libraries on top of the store, in one process. */
import { assertEquals } from "@std/assert";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { assertStoryEvents, startStore, type Store, STORY, VERSIONS } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";

const LARGE = 12 * 1024 * 1024 + 1;

/** Results of each library except minio-py. */
const SEEN = {
  s3fs: {
    large: true,
    range: "ell",
    colour: "blue",
    tags: { kind: "a b", colour: "dark blue" },
    versions: ["second", "Hello"],
    signed: "second",
    unfinished: ["dropped"],
    found: ["s3fs/dir/large", "s3fs/dir/small", "s3fs/moved"],
    listed: ["s3fs/dir", "s3fs/moved"],
    sizes: [6, true, false],
    missing: "FileNotFoundError",
    left: ["s3fs/moved"],
  },
  smart_open: {
    lines: 1000,
    large: true,
    versions: ["two", "one"],
    unfinished: [],
    signed: "two",
    walked: [["large", LARGE], ["small", 3]],
  },
  django: {
    names: ["photos/a.txt", true, true, false],
    read: "Hello",
    large: [true, true],
    signed: "Hello",
    size: 5,
    modified: true,
    listed: [["photos"], ["large.bin", "written.bin"], [], ["a.txt"]],
    missing: "FileNotFoundError",
  },
  pyarrow: {
    range: "010203",
    large: true,
    type: "text/plain",
    table: true,
    rows: 2,
    files: [`arrow/dir/moved ${2 * LARGE}`, `arrow/large ${2 * LARGE}`],
    folders: ["arrow/dir", "arrow/set", "arrow/set/2024", "arrow/set/2025"],
    kinds: ["File", "Directory", "NotFound"],
    left: ["arrow/dir", "arrow/dir/moved", "arrow/dir/one.parquet", "arrow/empty"],
    missing: "FileNotFoundError",
  },
};

/** The events of a bucket, oldest first: operation, key, size and parts. */
function told({ service }: Store, name: string): { agents: string[]; lines: string[] } {
  const events = service.events.list({ plugin: "s3" }).reverse()
    .map(({ payload, meta }) => ({ ...payload as S3Operation, agent: String(meta.user_agent) }))
    .filter(({ bucket }) => bucket === name);
  return {
    agents: [...new Set(events.map(({ agent }) => agent.split("/")[0]!))],
    lines: events.map(({ operation, key, size, parts, delete_marker, source }) =>
      [operation, key, source?.key, size, parts && `in ${parts}`, delete_marker]
        .filter((part) => part !== undefined).join(" ")
    ),
  };
}

Deno.test("minio-py, s3fs, smart_open, django-storages and pyarrow use the store", async (t) => {
  await using store = await startStore({ buckets: [] });
  await using framed = await startStore({ buckets: [], aws_chunked: true });
  const urls = [store, framed].map(({ service }) => service.endpoint("http").url);
  const seen = await runBoto3(t, "s3_libraries_calls.py", ...urls);
  if (seen === undefined) return;
  assertEquals(seen.printed, { minio: { ...STORY, ...VERSIONS }, ...SEEN });

  assertStoryEvents(store, "minio-py");
  assertEquals(told(store, "s3fs"), {
    agents: ["aiobotocore"],
    lines: [
      "bucket.create",
      "object.put dir/small 5",
      "object.copy dir/small dir/small 5",
      `object.put dir/large ${LARGE} in 2`,
      `object.put dir/large ${LARGE + 4} in 2`,
      "object.copy dir/copy dir/small 5",
      "object.copy moved dir/copy 5",
      "object.delete dir/copy created",
      "object.put moved 6",
      "object.delete dir created",
      "object.delete dir/large created",
      "object.delete dir/small created",
    ],
  });
  const zipped = told(store, "smart").lines[1]?.replace(/\d+ in/, "N in");
  assertEquals([zipped, ...told(store, "smart").lines.slice(2)], [
    "object.put lines.txt.gz N in 1",
    `object.put large ${LARGE} in 3`,
    "object.put small 3",
    "object.put small 3",
  ]);
  const { lines } = told(store, "media");
  assertEquals(lines.map((line) => line.replace(/a_\w+/, "a_X")), [
    "bucket.create",
    "object.put photos/a.txt 5",
    "object.put photos/a_X.txt 5",
    `object.put large.bin ${LARGE} in 2`,
    `object.put written.bin ${LARGE} in 1`,
    "object.delete photos/a_X.txt 5",
  ]);
  const [media] = store.service.events.list({ type: "s3.object.put" });
  const { acl, tags } = media!.payload as S3Operation;
  assertEquals([acl, tags], ["public-read", { kind: "a b" }]);
  const arrow = told(framed, "arrow");
  assertEquals(arrow.agents, ["aws-sdk-cpp"]);
  assertEquals(arrow.lines.filter((line) => /large|copy/.test(line)), [
    `object.put large ${2 * LARGE} in 3`,
    `object.copy copy large ${2 * LARGE}`,
    `object.copy dir/moved copy ${2 * LARGE}`,
    `object.delete copy ${2 * LARGE}`,
    `object.delete large ${2 * LARGE}`,
  ]);
});
