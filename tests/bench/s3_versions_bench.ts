/**
 * Cost of versions: puts into a bucket with versioning compared with one without, and the listing
 * of versions compared with that of as many objects. `S3_BENCH=full` takes longer loads and lists
 * 100 000, and `S3_PARTS` leaves all of it out unless it names `versions`.
 */
import { findProgram } from "../support/clients.ts";
import { busySeconds, median, report } from "./measure.ts";
import { drive } from "./s3_load.ts";
import { startOwn, type Store } from "./s3_peers.ts";
import { send } from "./s3_sign.ts";

const FULL = Deno.env.get("S3_BENCH") === "full";
const ROUNDS = FULL ? 9 : 5;
const LISTED = FULL ? 100_000 : 10_000;
const KEYS = 500;
const LANES = 16;
/** Target. */
const LEAST_PUTS = 0.9;
const LEAST_LIST = 0.9;

const ENABLED = new TextEncoder().encode(
  "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>",
);

async function makeBucket(url: string, name: string, isVersioned: boolean): Promise<void> {
  await send(url, { method: "PUT", path: `/${name}` });
  if (!isVersioned) return;
  await send(url, { method: "PUT", path: `/${name}`, query: "versioning=", body: ENABLED });
}

/** Puts per second and processor time of each in microseconds; the two buckets alternate. */
async function comparePuts({ name, url, pid }: Store, wrk: string): Promise<void> {
  const rates: Readonly<Record<string, number[]>> = { plain: [], versioned: [] };
  const busy: Readonly<Record<string, number[]>> = { plain: [], versioned: [] };
  const body = new Uint8Array(1024);
  for (const bucket of Object.keys(rates)) await makeBucket(url, bucket, bucket === "versioned");
  for (let round = 0; round < ROUNDS; round++) {
    const turns = round % 2 === 0 ? ["plain", "versioned"] : ["versioned", "plain"];
    for (const bucket of turns) {
      const requests = Array.from(
        { length: KEYS },
        (_, at) => ({ method: "PUT", path: `/${bucket}/${at}`, body }),
      );
      const before = await busySeconds(pid);
      const { perSecond, refused } = await drive({
        wrk,
        url,
        requests,
        connections: 8,
        seconds: 1,
      });
      if (refused > 0) throw new Error(`Loaded ${bucket}: ${refused} requests were refused`);
      rates[bucket]!.push(perSecond);
      busy[bucket]!.push((await busySeconds(pid) - before) / perSecond * 1e6);
    }
  }
  const [plain, versioned] = [median(rates.plain!), median(rates.versioned!)];
  report(`${name}: PUT 1 KiB without versions`, `${plain.toFixed(0)}/s`);
  report(`${name}: PUT 1 KiB with versions`, `${versioned.toFixed(0)}/s`);
  const perBusy = median(busy.plain!) / median(busy.versioned!);
  report("  with against without", (versioned / plain).toFixed(2));
  report("    for the same time of the processor", perBusy.toFixed(2), {
    text: `>= ${LEAST_PUTS}`,
    met: perBusy >= LEAST_PUTS,
  });
}

/** Puts an object `LISTED` times, spread over the keys. */
async function fill(url: string, bucket: string, keys: number): Promise<void> {
  const body = new Uint8Array(10);
  let next = 0;
  const lane = async () => {
    while (next < LISTED) {
      await send(url, { method: "PUT", path: `/${bucket}/object-${next++ % keys}`, body });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Lists every version of a bucket, a thousand per page. Returns processor seconds of the store. */
async function listVersions({ url, pid }: Store, bucket: string): Promise<number> {
  const before = await busySeconds(pid);
  let [key, version, found] = ["", "", 0];
  for (;;) {
    const parts = ["max-keys=1000", "versions="];
    if (key !== "") parts.unshift(`key-marker=${encodeURIComponent(key)}`);
    if (version !== "") parts.splice(2, 0, `version-id-marker=${version}`);
    const { text } = await send(url, { method: "GET", path: `/${bucket}`, query: parts.join("&") });
    found += text.match(/<Version>/g)?.length ?? 0;
    key = /<NextKeyMarker>([^<]+)/.exec(text)?.[1] ?? "";
    version = /<NextVersionIdMarker>([^<]+)/.exec(text)?.[1] ?? "";
    if (!text.includes("<IsTruncated>true")) break;
  }
  if (found !== LISTED) throw new Error(`Listed ${bucket}: ${found} of ${LISTED} versions`);
  return await busySeconds(pid) - before;
}

/** The same listing of as many objects, of many versions of few keys, and of all versions of one key. */
async function compareLists(store: Store): Promise<void> {
  const buckets = { objects: LISTED, few: 100, one: 1 };
  for (const [bucket, keys] of Object.entries(buckets)) {
    await makeBucket(store.url, bucket, keys < LISTED);
    await fill(store.url, bucket, keys);
  }
  const seconds: Record<string, number[]> = { objects: [], few: [], one: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const bucket of Object.keys(buckets)) {
      seconds[bucket]!.push(await listVersions(store, bucket));
    }
  }
  const plain = median(seconds.objects!);
  report(`list of ${LISTED} objects`, `${(plain * 1000).toFixed(0)} ms of processor`);
  for (const [bucket, keys] of Object.entries({ few: 100, one: 1 })) {
    const ratio = plain / median(seconds[bucket]!);
    report(`list of ${LISTED} versions of ${keys} keys, as fast as objects`, ratio.toFixed(2), {
      text: `>= ${LEAST_LIST}`,
      met: ratio >= LEAST_LIST,
    });
  }
}

async function main(): Promise<void> {
  if (Deno.env.get("S3_PARTS")?.split(",").includes("versions") === false) return;
  await using stack = new AsyncDisposableStack();
  const wrk = findProgram("wrk");
  if (wrk === undefined) console.log("SKIP: wrk is not installed, so no rates of puts");
  else {
    for (const persist of [false, true]) {
      await using store = await startOwn({ persist });
      await comparePuts(store, wrk);
    }
  }
  await compareLists(stack.use(await startOwn({ maxObjects: 3 * LISTED })));
}

await main();
