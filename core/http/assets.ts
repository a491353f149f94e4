import { eTag, ifNoneMatch } from "@std/http/etag";
import type { HeaderValues } from "./call.ts";
import { textResponse } from "./reply.ts";
import { SHELL_HEADERS } from "./security.ts";

/** UI files by name. */
export type AssetMap = ReadonlyMap<string, string>;

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

/** Serves one UI file, revalidated by its ETag; `undefined` for an unknown name. */
export async function sendAsset(
  source: AssetSource,
  name: string,
  options: { headers: HeaderValues; status?: number },
): Promise<Response | undefined> {
  const assets = typeof source === "function" ? await source() : source;
  const text = assets.get(name);
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (text === undefined || type === undefined) return undefined;
  const status = options.status ?? 200;
  const etag = await tagOf(assets, name, text);
  const headers = new Headers(SHELL_HEADERS);
  headers.set("content-type", type);
  headers.set("cache-control", "no-cache");
  if (etag !== undefined) headers.set("etag", etag);
  if (status === 200 && !ifNoneMatch(options.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return textResponse(text, { status, headers });
}

const tags = new WeakMap<AssetMap, Map<string, { text: string; tag: string | undefined }>>();

async function tagOf(assets: AssetMap, name: string, text: string): Promise<string | undefined> {
  let known = tags.get(assets);
  if (known === undefined) tags.set(assets, known = new Map());
  const kept = known.get(name);
  if (kept?.text === text) return kept.tag;
  const tag = await eTag(text);
  known.set(name, { text, tag });
  return tag;
}
