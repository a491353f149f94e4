/** Bundles that are small to send, and large once they are read. */
import { assertEquals, assertLess } from "@std/assert";
import * as zip from "@zip.js/zip.js";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  EVENTS_FILE,
  EXPECTATIONS_FILE,
  MANIFEST_FILE,
} from "../../core/bundle/record.ts";
import { FREE_PORTS } from "../support/program.ts";
import { BESIDE_BYTES, mib, startTarget } from "../support/under_attack.ts";

const LIMIT_BYTES = 128_000_000;
const MOST_BYTES = LIMIT_BYTES + BESIDE_BYTES;
/** Lines of about 2 MB, each just below what a body may hold. */
const LINES = 12;
const MANY = 900_000;
/** Far above one time slice. */
const MAX_WAIT_MS = 1500;

const idOf = (number: number): string => `01a2070ee1bf${number.toString(16).padStart(12, "0")}`;

/** An event with this payload. */
function event(number: number, json: string): string {
  const head = JSON.stringify({
    id: idOf(number),
    plugin: "webhook",
    provider: "hook",
    type: "webhook.request",
    received_at: "2026-01-01T00:00:00.000Z",
    summary: "x",
    summary_parts: {},
    meta: {},
    raw: { transport: "http", text: false, file: idOf(0) },
    blobs: [],
  });
  const payload = '{"name":"a","method":"POST","path":"/","query":{},"headers":{},"status":200,' +
    `"size":1,"json":${json}}`;
  return `${head.slice(0, -1)},"payload":${payload}}\n`;
}

function repeated(count: number, line: (number: number) => string): Blob {
  return new Blob(Array.from({ length: count }, (_, number) => line(number)));
}

const NESTED = `[${"[],".repeat(MANY)}[]]`;
const OBJECTS = `[${'{"a":0},'.repeat(380_000)}0]`;
const TEXT = `"${"a".repeat(20_000_000)}"`;

/** An expectation that ran. */
function expectation(number: number): string {
  const record = {
    id: idOf(number),
    started_at: "2026-01-01T00:00:00.000Z",
    duration_ms: 1,
    expectation: Array(500).fill([]),
    met: true,
    count: 0,
    events: [],
  };
  return `${JSON.stringify(record)}\n`;
}

/** Bundles by what is in them. */
const BOMBS: Readonly<Record<string, () => Promise<Uint8Array<ArrayBuffer>>>> = {
  "events of very many lists": () =>
    pack({ [EVENTS_FILE]: repeated(LINES, (at) => event(at, NESTED)) }),
  "events of very many objects": () =>
    pack({ [EVENTS_FILE]: repeated(LINES, (at) => event(at, OBJECTS)) }),
  "events of long texts": () => pack({ [EVENTS_FILE]: repeated(20, (at) => event(at, TEXT)) }),
  "very many expectations": () =>
    pack({ [EVENTS_FILE]: new Blob(), [EXPECTATIONS_FILE]: repeated(60_000, expectation) }),
  "very many files": () => Promise.resolve(listOfFiles(64_000)),
};

/** Packs a bundle of these files besides the manifest. */
async function pack(files: Readonly<Record<string, Blob>>): Promise<Uint8Array<ArrayBuffer>> {
  zip.configure({ useWebWorkers: false });
  const writer = new zip.ZipWriter(new zip.Uint8ArrayWriter(), { zip64: false });
  const manifest = JSON.stringify({ format: BUNDLE_FORMAT, version: BUNDLE_VERSION });
  await writer.add(MANIFEST_FILE, new zip.TextReader(manifest));
  for (const [name, blob] of Object.entries(files)) {
    await writer.add(name, new zip.BlobReader(blob));
  }
  return Uint8Array.from(await writer.close());
}

/** An archive that lists very many empty files, and has none of them: APPNOTE 4.3.12 and 4.3.16. */
function listOfFiles(count: number): Uint8Array<ArrayBuffer> {
  const names = Array.from(
    { length: count },
    (_, at) => new TextEncoder().encode(`raw/${idOf(at)}`),
  );
  const listBytes = names.reduce((sum, { length }) => sum + 46 + length, 0);
  const bytes = new Uint8Array(listBytes + 22);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const name of names) {
    view.setUint32(at, 0x0201_4b50, true);
    view.setUint16(at + 28, name.length, true);
    bytes.set(name, at + 46);
    at += 46 + name.length;
  }
  view.setUint32(at, 0x0605_4b50, true);
  view.setUint16(at + 8, count, true);
  view.setUint16(at + 10, count, true);
  view.setUint32(at + 12, listBytes, true);
  return bytes;
}

Deno.test("a bundle takes no more memory than the limit, and delays nobody", async (t) => {
  // Abreast, because a refusal takes ten seconds.
  const outcomes = await Promise.all(
    Object.entries(BOMBS).map(async ([name, make]) => {
      await using target = await startTarget({
        args: ["serve", ...FREE_PORTS, `--memory-limit=${LIMIT_BYTES}`],
      });
      const body = await make();
      let status = 0;
      let retryAfter: string | null = null;
      const toll = await target.measure(async () => {
        const response = await fetch(`${target.urls.api}/api/v1/import`, { method: "POST", body });
        status = response.status;
        retryAfter = response.headers.get("retry-after");
        await response.body?.cancel();
      });
      return { name, status, retryAfter, ...toll };
    }),
  );
  for (const { name, status, retryAfter, peakBytes, longestWaitMs } of outcomes) {
    await t.step(name, () => {
      assertEquals([status, retryAfter], [503, "5"]);
      assertLess(peakBytes, MOST_BYTES, `${mib(peakBytes)} resident at most`);
      assertLess(longestWaitMs, MAX_WAIT_MS, "another client waited");
    });
  }
});
