/**
 * Puts and gets per second, a multipart upload and a listing, compared with s3rver (npm) and
 * versitygw (Go) under the same signed requests, and with a server that only computes the MD5 of
 * each body. `S3_BENCH=full` takes longer loads, three rounds and 50 000 objects in the listing;
 * `S3_PARTS` names some of the parts in s3_parts.ts, separated by commas, instead of all.
 */
import { crc32 } from "node:zlib";
import { crc32c, crc64nvme } from "../../plugins/s3/codec/crc.ts";
import { findProgram } from "../support/clients.ts";
import { busySeconds, median, report } from "./measure.ts";
import { drive, uploadInParts } from "./s3_load.ts";
import { startFloor, startOwn, startS3rver, startVersity, type Store } from "./s3_peers.ts";
import { send, type Unsigned } from "./s3_sign.ts";
import { isSet } from "../support/settings.ts";
import { s3Parts } from "./s3_parts.ts";

const FULL = isSet("S3_BENCH", "full");
const ROUNDS = FULL ? 3 : 1;
const LISTED = FULL ? 50_000 : 5000;
const TIMED_RUNS = 5;
/** Target relative to s3rver. */
const LEAST = 3;
const CONNECTIONS = [1, 8, 64] as const;

const measures = s3Parts();

/** With 64 at a time, large objects take more than a second each. */
const SIZES = [
  {
    what: "1 KiB",
    bytes: 1024,
    keys: 500,
    seconds: FULL ? 2 : 1,
    parts: { PUT: "put-1k", GET: "get-1k" },
  },
  {
    what: "1 MiB",
    bytes: 1024 * 1024,
    keys: 8,
    seconds: FULL ? 4 : 2,
    parts: { PUT: "put-1m", GET: "get-1m" },
  },
] as const;

/** Rates of one store, one per round, and the processor time per request in microseconds. */
interface Measured {
  readonly perSecond: number[];
  readonly busyUs: number[];
}

/** Stores alternate, so that other load on the machine affects all of them. */
async function measure(
  stores: readonly Store[],
  about: {
    wrk: string;
    requests: readonly Unsigned[];
    connections: number;
    seconds: number;
  },
): Promise<readonly Measured[]> {
  const results = stores.map((): Measured => ({ perSecond: [], busyUs: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { name, url, pid }] of stores.entries()) {
      const before = await busySeconds(pid);
      const { perSecond, refused } = await drive({ ...about, url });
      if (refused > 0) throw new Error(`Loaded ${name}: ${refused} requests were refused`);
      results[index]!.perSecond.push(perSecond);
      const busy = await busySeconds(pid) - before;
      results[index]!.busyUs.push(busy / (perSecond * about.seconds) * 1e6);
    }
  }
  return results;
}

/** Ratios of the second to the first: rate, time, and processor time. */
interface Compared {
  readonly ratio: number;
  readonly perBusy: number;
}

/**
 * One line for each of ours compared with each other store. The target is for in-memory storage.
 */
function reportRatios(
  stores: readonly Store[],
  compare: (own: number, other: number) => Compared,
): void {
  for (const [index, own] of stores.entries()) {
    for (const [at, other] of stores.entries()) {
      if (!own.isOwn || other.isOwn) continue;
      const { ratio, perBusy } = compare(index, at);
      const isAim = index === 0 && other.name === "s3rver";
      const aim = { text: `>= ${LEAST}`, met: ratio >= LEAST };
      report(`  ${own.name} against ${other.name}`, ratio.toFixed(2), isAim ? aim : undefined);
      report("    for the same time of the processor", perBusy.toFixed(2));
    }
  }
}

function reportRates(
  stores: readonly Store[],
  what: string,
  results: readonly Measured[],
): void {
  const rates = results.map(({ perSecond }) => median(perSecond));
  const busy = results.map(({ busyUs }) => median(busyUs));
  for (const [index, { name }] of stores.entries()) {
    report(`${what}, ${name}`, `${rates[index]!.toFixed(0)}/s`);
    console.log(`  ${busy[index]!.toFixed(0)} us of processor each`);
  }
  reportRatios(stores, (own, other) => ({
    ratio: rates[own]! / rates[other]!,
    perBusy: busy[other]! / busy[own]!,
  }));
}

async function compareRates(stores: readonly Store[], wrk: string): Promise<void> {
  for (const { what, bytes, keys, seconds, parts } of SIZES) {
    const methods = (["PUT", "GET"] as const).filter((method) => measures(parts[method]));
    if (methods.length === 0) continue;
    const body = crypto.getRandomValues(new Uint8Array(1024));
    const filled = new Uint8Array(bytes).map((_, at) => body[at % 1024]!);
    const paths = Array.from({ length: keys }, (_, at) => `/bench/${bytes}/${at}`);
    for (const { url } of stores) {
      for (const path of paths) await send(url, { method: "PUT", path, body: filled });
    }
    for (const connections of CONNECTIONS) {
      for (const method of methods) {
        const requests = paths.map((path) =>
          method === "PUT" ? { method, path, body: filled } : { method, path }
        );
        const results = await measure(stores, { wrk, requests, connections, seconds });
        reportRates(stores, `${method} ${what}, ${connections} connections`, results);
      }
    }
  }
}

/** Processor cost of a checksum besides the signature's digest, on our store only. */
async function compareChecksums(own: Store, wrk: string): Promise<void> {
  const body = new Uint8Array(1024 * 1024).map((_, at) => at * 7);
  const halves = crc64nvme(body);
  const values: Readonly<Record<string, readonly number[]>> = {
    crc32: [crc32(body)],
    crc32c: [crc32c(body)],
    crc64nvme: [halves.high, halves.low],
  };
  const load = async (headers: Record<string, string>) => {
    const requests = [{ method: "PUT", path: "/bench/checksum", body, headers }];
    const [measured] = await measure([own], { wrk, requests, connections: 8, seconds: 2 });
    return median(measured!.busyUs);
  };
  const plain = await load({});
  report("PUT 1 MiB, no checksum", `${plain.toFixed(0)} us`);
  for (const [name, words] of Object.entries(values)) {
    const view = new DataView(new ArrayBuffer(words.length * 4));
    words.forEach((word, at) => view.setUint32(at * 4, word));
    const value = new Uint8Array(view.buffer).toBase64();
    const ratio = plain / await load({ [`x-amz-checksum-${name}`]: value });
    report(`PUT 1 MiB with ${name}, against none`, ratio.toFixed(2), {
      text: ">= 0.5",
      met: ratio >= 0.5,
    });
  }
}

/**
 * Every page of a bucket, a thousand keys each, by markers: the continuation tokens of s3rver need
 * a cipher that Node no longer has. Returns seconds.
 */
async function list(url: string): Promise<number> {
  const startMs = performance.now();
  let [marker, found] = ["", 0];
  for (;;) {
    const query = `marker=${encodeURIComponent(marker)}&max-keys=1000`;
    const { text } = await send(url, { method: "GET", path: "/listed", query });
    const keys = [...text.matchAll(/<Key>([^<]+)/g)];
    found += keys.length;
    marker = keys.at(-1)?.[1] ?? "";
    if (!text.includes("<IsTruncated>true")) break;
  }
  if (found !== LISTED) throw new Error(`Listed ${url}: ${found} of ${LISTED} keys`);
  return (performance.now() - startMs) / 1000;
}

async function fillListed(url: string): Promise<void> {
  await send(url, { method: "PUT", path: "/listed" });
  const body = new Uint8Array(10);
  let next = 0;
  const lane = async () => {
    while (next < LISTED) {
      const at = next++;
      const path = `/listed/${String(at % 100).padStart(2, "0")}/object-${at}`;
      await send(url, { method: "PUT", path, body });
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

/** Seconds of one operation on each store, and ratios. Stores alternate. */
async function compareTimes(
  stores: readonly Store[],
  { what, runs, run }: { what: string; runs: number; run: (url: string) => Promise<number> },
): Promise<void> {
  const taken = stores.map((): { seconds: number[]; busy: number[] } => ({
    seconds: [],
    busy: [],
  }));
  for (let i = 0; i < runs; i++) {
    for (const [index, { url, pid }] of stores.entries()) {
      const before = await busySeconds(pid);
      taken[index]!.seconds.push(await run(url));
      taken[index]!.busy.push(await busySeconds(pid) - before);
    }
  }
  const seconds = taken.map((one) => median(one.seconds));
  const busy = taken.map((one) => median(one.busy));
  for (const [index, { name }] of stores.entries()) {
    report(`${what}, ${name}`, `${(seconds[index]! * 1000).toFixed(0)} ms`);
    console.log(`  ${(busy[index]! * 1000).toFixed(0)} ms of processor`);
  }
  reportRatios(stores, (own, other) => ({
    ratio: seconds[other]! / seconds[own]!,
    perBusy: busy[other]! / busy[own]!,
  }));
}

async function main(): Promise<void> {
  const [wrk, curl] = [findProgram("wrk"), findProgram("curl")];
  await using stack = new AsyncDisposableStack();
  const own = stack.use(await startOwn());
  const stores: Store[] = [own];
  for (const start of [startS3rver, startVersity]) {
    const store = await start();
    if (store !== undefined) stores.push(stack.use(store));
  }
  stores.push(stack.use(await startOwn({ persist: true })));
  for (const { url } of stores) await send(url, { method: "PUT", path: "/bench" });
  if (wrk === undefined) {
    console.log("SKIP: wrk is not installed, so no rates of put and get");
  } else {
    await compareRates([...stores, stack.use(await startFloor())], wrk);
    if (measures("checksums")) await compareChecksums(own, wrk);
  }
  if (measures("multipart") && curl === undefined) {
    console.log("SKIP: curl is not installed, so no multipart uploads");
  } else if (measures("multipart") && curl !== undefined) {
    const run = (url: string): Promise<number> => uploadInParts(curl, url);
    await compareTimes(stores, { what: "64 MiB in 8 parts", runs: TIMED_RUNS, run });
  }
  if (!measures("list")) return;
  for (const { url } of stores) await fillListed(url);
  await compareTimes(stores, { what: `list of ${LISTED}`, runs: TIMED_RUNS, run: list });
}

await main();
