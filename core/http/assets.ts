import { eTag, ifNoneMatch } from "@std/http/etag";
import type { HeaderValues } from "./call.ts";
import { textResponse } from "./reply.ts";
import { SHELL_HEADERS } from "./security.ts";

/** Path of the files of the user interface. */
export const ASSETS_PATH = "/ui/assets/";

/** UI files by name. */
export interface AssetMap extends ReadonlyMap<string, string> {
  /** Whether files may change while the program runs. */
  readonly isLive?: boolean;
}

/** The files, or what loads them when the first is asked for. */
export type AssetSource = AssetMap | (() => Promise<AssetMap>);

/** A closed list: nothing else is served. */
const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/** Links in the files include their version, so that browsers need not ask for a file again. */
const VERSION = /^(v[0-9a-f]{16})\//;
const VERSION_BYTES = 8;
/** A year, in seconds; `immutable` saves the request on a reload, too (RFC 8246). */
const IMMUTABLE = "max-age=31536000, immutable";

/**
 * Serves one UI file; `undefined` for an unknown name. Below the folder of the current version it never changes;
 * anywhere else, also in the folder of another version, it is revalidated by its ETag.
 */
export async function sendAsset(
  source: AssetSource,
  name: string,
  options: { headers: HeaderValues; status?: number },
): Promise<Response | undefined> {
  const assets = typeof source === "function" ? await source() : source;
  const asked = VERSION.exec(name)?.[1];
  const plain = asked === undefined ? name : name.slice(asked.length + 1);
  const text = assets.get(plain);
  const type = TYPES[plain.slice(plain.lastIndexOf(".") + 1)];
  if (text === undefined || type === undefined) return undefined;
  const status = options.status ?? 200;
  const version = assets.isLive === true ? undefined : await versionOf(assets);
  const { served, etag } = await preparedOf(assets, { name: plain, text, version });
  const headers = new Headers(SHELL_HEADERS);
  headers.set("content-type", type);
  headers.set("cache-control", asked !== undefined && asked === version ? IMMUTABLE : "no-cache");
  if (etag !== undefined) headers.set("etag", etag);
  if (status === 200 && !ifNoneMatch(options.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return textResponse(served, { status, headers });
}

const versions = new WeakMap<AssetMap, Promise<string>>();

/** Identifies the content of all files. */
function versionOf(assets: AssetMap): Promise<string> {
  let version = versions.get(assets);
  if (version === undefined) versions.set(assets, version = hashOf(JSON.stringify([...assets])));
  return version;
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `v${new Uint8Array(hash, 0, VERSION_BYTES).toHex()}`;
}

/** A file as served, for as long as its text is the same. */
interface Prepared {
  readonly text: string;
  readonly served: string;
  readonly etag: string | undefined;
}

const prepared = new WeakMap<AssetMap, Map<string, Prepared>>();

/** Returns a file whose links include the version. */
async function preparedOf(
  assets: AssetMap,
  { name, text, version }: { name: string; text: string; version: string | undefined },
): Promise<Prepared> {
  let known = prepared.get(assets);
  if (known === undefined) prepared.set(assets, known = new Map());
  const kept = known.get(name);
  if (kept?.text === text) return kept;
  const served = version === undefined
    ? text
    : text.replaceAll(ASSETS_PATH, `${ASSETS_PATH}${version}/`);
  const made = { text, served, etag: await eTag(served) };
  known.set(name, made);
  return made;
}
