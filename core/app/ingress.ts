import { accepts } from "@std/http/negotiation";
import { isServicePath } from "../api/mount.ts";
import { ConfigError } from "../errors.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { HttpCall, HttpHandler } from "../http/call.ts";
import {
  BodyEncodingError,
  BodyTooLargeError,
  decodeBody,
  readBody,
} from "../http/ingress/body.ts";
import { json } from "../http/reply.ts";
import { createRouter, patternKey, type Router } from "../http/router.ts";
import type { OptionSet } from "../options/spec.ts";
import {
  type IngressCall,
  type IngressProvider,
  type IngressRoute,
  pathsOf,
  type PluginState,
  type Refusal,
} from "../plugin.ts";
import { type AnyEnv, finishCall, recordCall, toRaw, toRejected } from "./recording.ts";

/** An enabled provider of the shared ingress. */
export interface IngressMember {
  readonly plugin: string;
  readonly provider: IngressProvider<OptionSet, PluginState>;
  readonly env: AnyEnv;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly route: IngressRoute<OptionSet, PluginState>;
  readonly member: IngressMember;
}

interface Found {
  readonly member: IngressMember;
  readonly params: Readonly<Record<string, string>>;
  /** Absent when the path exists, but not with this method. */
  readonly route?: IngressRoute<OptionSet, PluginState>;
  readonly allow: readonly string[];
}

/** Bytes of a refused body that the vendor's refusal gets to see. */
const PREFIX = 65_536;

const NO_BYTES: Uint8Array = new Uint8Array();

/**
 * Serves every HTTP provider that shares the ingress, told apart by path. Throws `ConfigError` for a path out of the
 * settings that cannot be served.
 */
export function createIngressHandler(options: {
  members: readonly IngressMember[];
  maxBody: number;
  rejected: RejectedJournal;
}): HttpHandler {
  const router = createRouter<Entry>(toEntries(options.members));
  return async (http) => {
    const found = find(router, http);
    if (found === undefined) return await answerUnmatched(http, options);
    let wire = NO_BYTES;
    const recording = recordCall(found.member.env, http, () => wire);
    const { provider } = found.member;
    const refuse = async (call: IngressCall, refusal: Refusal): Promise<Response> =>
      await provider.refuse?.(call, refusal, recording.env) ?? plainRefusal(refusal);
    const limit = provider.bodyLimit?.(recording.env.values, options.maxBody) ?? options.maxBody;
    const read = await readWhole(http, limit);
    wire = read.wire;
    const call = toCall(http, found.params, read);
    const refusal = read.refusal ?? methodRefusal(found, http);
    const response = refusal === undefined
      ? await handle(found, { call, env: recording.env, refuse })
      : await refuse(call, refusal);
    return await finishCall(recording, response);
  };
}

/** Every route with every path of it. Those that a provider always has are checked with the set of plugins. */
function toEntries(members: readonly IngressMember[]): readonly Entry[] {
  const entries = members.flatMap((member) =>
    member.provider.routes.flatMap((route) =>
      pathsOf(route, member.env.values).map((path) => ({
        method: route.method,
        path,
        route,
        member,
      }))
    )
  );
  const claimed = new Map<string, Entry>();
  const problems: string[] = [];
  // Their own paths first, so that the one out of the settings is what is complained about.
  for (const entry of entries.toSorted((a, b) => Number(isFurther(a)) - Number(isFurther(b)))) {
    const { method, path, member } = entry;
    const key = `${method} ${patternKey(path)}`;
    const other = claimed.get(key);
    if (isFurther(entry)) {
      const begin = `Cannot serve ${method} ${path} for ${nameOf(member)}`;
      if (!/^\/[^{}?#\s]*$/.test(path)) {
        problems.push(`${begin}: expected a path such as /inbox, without query and braces`);
      } else if (isServicePath(path)) {
        problems.push(`${begin}: it belongs to the service's own UI and API`);
      } else if (other !== undefined) {
        problems.push(`${begin}: ${nameOf(other.member)} has that path already`);
      }
    }
    claimed.set(key, entry);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return entries;
}

function isFurther({ path, route }: Entry): boolean {
  return path !== route.path;
}

function nameOf({ plugin, provider }: IngressMember): string {
  return `${plugin}/${provider.id}`;
}

function find(router: Router<Entry>, http: HttpCall): Found | undefined {
  const match = router.match(http.method, http.path);
  if (match === undefined) return undefined;
  if ("entry" in match) {
    const { member, route } = match.entry;
    return { member, route, params: match.params, allow: [] };
  }
  const sibling = router.match(match.allow[0]!, http.path);
  if (sibling === undefined || !("entry" in sibling)) return undefined;
  return { member: sibling.entry.member, params: sibling.params, allow: match.allow };
}

async function handle(
  found: Found,
  options: {
    call: IngressCall;
    env: AnyEnv;
    refuse(call: IngressCall, refusal: Refusal): Promise<Response>;
  },
): Promise<Response> {
  const { call, env } = options;
  try {
    return await found.route!.handle(call, env);
  } catch (error) {
    env.ctx.log.error("Cannot answer an ingress request", {
      provider: found.member.provider.id,
      path: call.target,
      error,
    });
    return await options.refuse(call, {
      kind: "internal",
      status: 500,
      message: "Cannot answer this request: an unexpected fault, see the log of the service",
    });
  }
}

interface ReadBody {
  /** As sent; the beginning of it when it was too large. */
  readonly wire: Uint8Array;
  /** With content codings removed. */
  readonly body: Uint8Array;
  readonly refusal?: Refusal;
}

async function readWhole(http: HttpCall, maxBytes: number): Promise<ReadBody> {
  let wire = NO_BYTES;
  try {
    wire = await readBody(http, { maxBytes });
    const coding = http.headers.get("content-encoding");
    return { wire, body: coding === null ? wire : await decodeBody(wire, coding, maxBytes) };
  } catch (error) {
    if (error instanceof BodyTooLargeError) {
      const prefix = wire.length > 0 ? wire.subarray(0, PREFIX) : error.prefix;
      const message = `Cannot take a body of more than ${maxBytes} bytes`;
      return { wire: prefix, body: prefix, refusal: { kind: "too_large", status: 413, message } };
    }
    if (error instanceof BodyEncodingError) {
      const refusal: Refusal = { kind: "bad_encoding", status: 400, message: error.message };
      return { wire, body: wire, refusal };
    }
    throw error;
  }
}

function methodRefusal(found: Found, http: HttpCall): Refusal | undefined {
  if (found.route !== undefined) return undefined;
  return {
    kind: "method_not_allowed",
    status: 405,
    message: `Cannot ${http.method} ${http.path}: allowed are ${found.allow.join(", ")}`,
    allow: found.allow,
  };
}

function toCall(
  http: HttpCall,
  params: Readonly<Record<string, string>>,
  read: ReadBody,
): IngressCall {
  return {
    request: http.request,
    method: http.method,
    target: http.target,
    path: http.path,
    search: http.search,
    headers: http.headers,
    rawHeaders: http.rawHeaders,
    version: http.version,
    tls: http.tls,
    peer: http.peer,
    local: http.local,
    params,
    query: new URLSearchParams(http.search),
    body: read.body,
    raw: toRaw(http, read.wire),
  };
}

function plainRefusal(refusal: Refusal): Response {
  return new Response(`${refusal.message}\n`, {
    status: refusal.status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...(refusal.allow === undefined ? {} : { allow: refusal.allow.join(", ") }),
    },
  });
}

/** 404 that says what there is, in the form the client speaks. */
async function answerUnmatched(
  http: HttpCall,
  options: { members: readonly IngressMember[]; rejected: RejectedJournal; maxBody: number },
): Promise<Response> {
  const { wire } = await readWhole(http, Math.min(options.maxBody, PREFIX));
  const error = `Cannot find ${http.method} ${http.path}: no enabled provider takes it`;
  options.rejected.add({ ...toRejected(http, wire), status: 404, reason: error });
  const providers = options.members.map(({ plugin, provider, env }) => ({
    plugin,
    provider: provider.id,
    endpoints: provider.routes.filter(({ unlisted }) => !unlisted)
      .flatMap((route) => pathsOf(route, env.values).map((path) => `${route.method} ${path}`)),
  }));
  if (speaksJson(http)) return json({ error, providers }, 404);
  const lines = providers.flatMap(({ plugin, provider, endpoints }) => [
    `${plugin}/${provider}`,
    ...endpoints.map((endpoint) => `  ${endpoint}`),
  ]);
  const text = [error, "", ...(lines.length > 0 ? ["Enabled here:", ...lines] : [])].join("\n");
  return new Response(`${text}\n`, {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

function speaksJson(http: HttpCall): boolean {
  if (/\bjson\b/i.test(http.headers.get("content-type") ?? "")) return true;
  const accept = http.headers.get("accept");
  if (accept === null || accept === "*/*") return false;
  return accepts(http, "text/plain", "application/json") === "application/json";
}
