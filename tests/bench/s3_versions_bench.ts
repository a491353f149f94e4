/**
 * Cost of versions: puts into a bucket with versioning compared with one without, and the listing
 * of versions compared with that of as many objects. `S3_BENCH=full` takes longer loads and lists
 * 100 000, `S3_PARTS` leaves all of it out unless it names `versions`, `versions-puts` or
 * `versions-lists`, and `S3_LAYOUTS` lists only the layouts that it names.
 */
import { findProgram } from "../support/clients.ts";
import { busySeconds, median, report } from "./measure.ts";
import { drive } from "./s3_load.ts";
import { startOwn, type Store } from "./s3_peers.ts";
import { send } from "./s3_sign.ts";
import { isSet, namesFrom } from "../support/settings.ts";
import { s3Parts } from "./s3_parts.ts";

const FULL = isSet("S3_BENCH", "full");
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

/** Which key gets which put: that decides how far apart in memory the entries of a page are. */
interface Layout {
  readonly about: string;
  readonly keyOf: (put: number) => number;
}

const FEW = 100;
/** Objects, and versions by name. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  objects: { about: "objects", keyOf: (put) => put },
  // Those that follow each other in a list are as far apart as with `turns`.
  scattered: {
    about: `objects, put like versions of ${FEW} keys in turns`,
    keyOf: (put) => (put % FEW) * (LISTED / FEW) + Math.floor(put / FEW),
  },
  one: { about: "versions of 1 key", keyOf: () => 0 },
  keys: {
    about: `versions of ${FEW} keys, key by key`,
    keyOf: (put) => Math.floor(put / (LISTED / FEW)),
  },
  turns: { about: `versions of ${FEW} keys, put in turns`, keyOf: (put) => put % FEW },
};

/** Puts an object `LISTED` times. */
async function fill(url: string, bucket: string, { keyOf }: Layout): Promise<void> {
  const body = new Uint8Array(10);
  let next = 0;
  const lane = async () => {
    while (next < LISTED) {
      // Of one length, so that they are listed in the order of their numbers.
      const name = String(keyOf(next++)).padStart(6, "0");
      await send(url, { method: "PUT", path: `/${bucket}/object-${name}`, body });
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

/** The same listing of as many objects, and of versions in several layouts; they alternate. */
async function compareLists(store: Store): Promise<void> {
  const asked = namesFrom("S3_LAYOUTS", Object.keys(LAYOUTS)) ?? Object.keys(LAYOUTS);
  const layouts = Object.entries(LAYOUTS)
    .filter(([name]) => name === "objects" || asked.includes(name));
  const seconds: Record<string, number[]> = {};
  for (const [name, layout] of layouts) {
    await makeBucket(store.url, name, layout.about.startsWith("versions"));
    await fill(store.url, name, layout);
    seconds[name] = [];
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name] of layouts) seconds[name]!.push(await listVersions(store, name));
  }
  const plain = median(seconds.objects!);
  report(`list of ${LISTED} objects`, `${(plain * 1000).toFixed(0)} ms of processor`);
  for (const [name, { about }] of layouts) {
    if (name === "objects") continue;
    const ratio = plain / median(seconds[name]!);
    report(`list of ${LISTED} ${about}, as fast as objects`, ratio.toFixed(2), {
      text: `>= ${LEAST_LIST}`,
      met: ratio >= LEAST_LIST,
    });
  }
}

async function main(): Promise<void> {
  const measures = s3Parts();
  await using stack = new AsyncDisposableStack();
  const wrk = findProgram("wrk");
  if (!measures("versions-puts")) console.log("Without puts");
  else if (wrk === undefined) console.log("SKIP: wrk is not installed, so no rates of puts");
  else {
    for (const persist of [false, true]) {
      await using store = await startOwn({ persist });
      await comparePuts(store, wrk);
    }
  }
  if (!measures("versions-lists")) return;
  const maxObjects = LISTED * Object.keys(LAYOUTS).length;
  await compareLists(stack.use(await startOwn({ maxObjects })));
}

await main();
