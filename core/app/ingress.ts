import { accepts } from "@std/http/negotiation";
import { isServicePath } from "../api/mount.ts";
import { ConfigError, LogWriteError, MemoryFullError } from "../errors.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { FaultGate } from "../faults/engine.ts";
import type { BrowserGuard } from "../http/browser_guard.ts";
import type { Answer } from "../http/answer.ts";
import type { HttpCall, HttpHandler } from "../http/call.ts";
import { hostnameOf, hostOf } from "../http/host.ts";
import { readPrefix } from "../http/server/body/body.ts";
import { json, RETRY_AFTER_SECONDS } from "../http/reply.ts";
import type { Memory } from "../memory/budget.ts";
import { largestWork, WORK_FACTOR } from "../memory/size.ts";
import { createRouter, patternKey, type Router } from "../http/router.ts";
import type { OptionSet } from "../options/spec.ts";
import {
  type IngressProvider,
  type IngressRoute,
  isShown,
  type MaybePromise,
  pathsOf,
  type PluginState,
  type Refusal,
} from "../plugin.ts";
import { handleWithFaults } from "./faulty_call.ts";
import type { OpenedPlugin } from "./open.ts";
import {
  busy,
  type ReadBody,
  ReadCall,
  type ReadLimits,
  readWhole,
  takeBuffered,
} from "./read_call.ts";
import { type AnyEnv, finishCall, Recording, toRejected } from "./recording.ts";

/** Bytes kept of the body of an unmatched request. */
const PREFIX = 65_536;

/** An enabled provider of the shared ingress. */
export interface IngressMember {
  readonly plugin: string;
  readonly provider: IngressProvider<OptionSet, PluginState>;
  readonly env: AnyEnv;
  /** Gate for faults. */
  readonly gate: FaultGate;
}

/** The members among the enabled providers. */
export function membersOf(opened: readonly OpenedPlugin[]): IngressMember[] {
  return opened.flatMap(({ plugin, providers }) =>
    providers.flatMap(({ provider, env, gate }) =>
      provider.kind === "ingress" ? [{ plugin: plugin.id, provider, env, gate }] : []
    )
  );
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly route: IngressRoute<OptionSet, PluginState>;
  readonly member: IngressMember;
  /** Of its bodies, as sent and decoded. */
  readonly limits: Omit<ReadLimits, "lease">;
}

interface Found {
  readonly entry: Entry;
  /** The matched path. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Methods of the path, if that of the call is not one of them: the entry then belongs to another. */
  readonly allow?: readonly string[];
}

/**
 * Serves every HTTP provider on the shared ingress, by path. Throws `ConfigError` for a configured path that cannot be
 * served.
 */
export function createIngress(options: {
  members: readonly IngressMember[];
  maxBody: number;
  /** Budget for bodies while they are read and answered. */
  memory: Memory;
  rejected: RejectedJournal;
  /** Checked before each request. */
  guard: BrowserGuard;
}): HttpHandler {
  const find = createFinder(toEntries(options));
  return (http) => {
    const foreign = options.guard(http);
    if (foreign !== undefined) return answerForeign(http, foreign, options);
    const found = find(http, http.path) ??
      (http.path.startsWith("//") ? find(http, oneSlash(http.path)) : undefined);
    if (found !== undefined) return answer(found, http, options);
    const merged = http.path.replaceAll(/\/{2,}/g, "/");
    const isMeant = merged !== http.path && find(http, merged) !== undefined;
    return answerUnmatched(http, { ...options, meant: isMeant ? merged : undefined });
  };
}

/** Returns every route with all of its paths. The fixed ones are checked with the set of plugins. */
function toEntries(
  { members, maxBody, memory }: {
    members: readonly IngressMember[];
    maxBody: number;
    memory: Memory;
  },
): readonly Entry[] {
  const entries = members.flatMap((member) => {
    const { provider, env: { values } } = member;
    const limit = provider.bodyLimit?.(values, maxBody) ?? maxBody;
    const largest = largestWork(memory);
    const maxBytes = Math.min(limit, largest);
    const mostWork = WORK_FACTOR * largest;
    return provider.routes.flatMap((route) => {
      const limits = { maxBytes, mostWork, undecoded: route.undecoded === true };
      const { method } = route;
      return pathsOf(route, values).map((path) => ({ method, path, route, member, limits }));
    });
  });
  const claimed = new Map<string, Entry>();
  const problems: string[] = [];
  // Fixed paths first, so that the error names the configured one.
  for (const entry of entries.toSorted((a, b) => Number(isFurther(a)) - Number(isFurther(b)))) {
    const { method, path, member } = entry;
    const key = `${method} ${patternKey(path)}`;
    const other = claimed.get(key);
    if (isFurther(entry)) {
      const begin = `Cannot serve ${method} ${path} for ${nameOf(member)}`;
      if (!/^\/[^{}?#\s]*$/.test(path)) {
        problems.push(`${begin}: expected a path such as /inbox, without a query or braces`);
      } else if (isServicePath(path, method)) {
        problems.push(`${begin}: it belongs to the service's own UI and API`);
      } else if (other !== undefined) {
        problems.push(`${begin}: ${nameOf(other.member)} already has that path`);
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

/**
 * Finds the handler of a request. A request to a vendor's own host is for that vendor only. Any other is found by path;
 * where several providers have it, the one that claims the request takes it, else the one that makes no claims.
 */
function createFinder(
  entries: readonly Entry[],
): (http: HttpCall, path: string) => Found | undefined {
  const rivals = Map.groupBy(entries, ({ method, path }) => `${method} ${patternKey(path)}`);
  const router = createRouter<Entry>(
    [...rivals.values()].map((group) => group.find(makesNoClaims) ?? group[0]!),
  );
  const rivalsOf = new Map(
    [...rivals.values()].flatMap((group) => group.map((one) => [one, group])),
  );
  const routers = new Map(
    [...Map.groupBy(entries, ({ member }) => member)].map(([member, own]) =>
      [member, createRouter<Entry>(own)] as const
    ),
  );
  const ownRouter = createHostFinder(entries);
  return (http, path) => {
    const { method } = http;
    const own = ownRouter(hostOf(http));
    if (own !== undefined) return findEntry(own, { method, path });
    const found = findEntry(router, { method, path });
    if (found === undefined) return undefined;
    const group = rivalsOf.get(found.entry)!;
    if (group.length === 1 && found.allow === undefined) return found;
    const claimant = group.find(({ member }) => member.provider.claims?.(http) === true);
    // No vendor has this method here, and nothing identifies one: the path may belong to anybody, such as `/`.
    const isForeign = found.allow !== undefined && claimant === undefined;
    if (isForeign && !group.some(makesNoClaims)) return undefined;
    return claimant === undefined || claimant === found.entry
      ? found
      : findEntry(routers.get(claimant.member)!, { method, path });
  };
}

function makesNoClaims({ member }: Entry): boolean {
  return member.provider.claims === undefined;
}

/** Routers by the hosts of vendors; `*.` stands for one label. */
function hostRouters(entries: readonly Entry[]): ReadonlyMap<string, Router<Entry>> {
  const named = entries.flatMap((entry) =>
    (entry.member.provider.vendorHosts ?? []).map((host) => ({ host, entry }))
  );
  return new Map(
    [...Map.groupBy(named, ({ host }) => host)].map(([host, own]) =>
      [host, createRouter<Entry>(own.map(({ entry }) => entry))] as const
    ),
  );
}

/** Finds the router of the vendor that a host belongs to. */
function createHostFinder(
  entries: readonly Entry[],
): (host: string | null) => Router<Entry> | undefined {
  const routers = hostRouters(entries);
  // Nearly all requests name the same host, and reading its name takes longer than comparing it.
  let last: string | null = null;
  let router: Router<Entry> | undefined;
  return (host) => {
    if (host === last) return router;
    last = host;
    const name = host === null ? "" : hostnameOf(host);
    return router = routers.get(name) ?? routers.get(name.replace(/^[^.]+/, "*"));
  };
}

/** Returns the handler of a request; the provider of the path refuses other methods in its own format. */
function findEntry(
  router: Router<Entry>,
  { method, path }: { readonly method: string; readonly path: string },
): Found | undefined {
  const match = router.match(method, path);
  if (match === undefined) return undefined;
  if ("entry" in match) return { ...match, path };
  const { allow } = match;
  const sibling = router.match(allow[0]!, path);
  return sibling === undefined || !("entry" in sibling) ? undefined : { ...sibling, path, allow };
}

/** Merges the double slash of a client whose base URL ends in a slash. */
function oneSlash(path: string): string {
  return path.replace(/^\/+/, "/");
}

const SLASHES_WARNING =
  "The path begins with more than one slash, and was handled as if it had one; " +
  "remove the trailing slash from the client's base URL";

/** Answers synchronously if the body is available and the provider waits for nothing. */
function answer(
  found: Found,
  http: HttpCall,
  { memory }: { readonly memory: Memory },
): MaybePromise<Answer> {
  const warnings = found.path === http.path ? [] : [SLASHES_WARNING];
  const recording = new Recording(found.entry.member.env, http, { warnings });
  const read = takeBuffered(http, found.entry.limits);
  if (read !== undefined) return answerRead(found, http, { read, recording });
  return answerOnceRead(found, http, { memory, recording });
}

async function answerOnceRead(
  found: Found,
  http: HttpCall,
  { memory, recording }: { memory: Memory; recording: Recording },
): Promise<Answer> {
  using lease = memory.lease({ gone: http.gone });
  const read = await readWhole(http, { ...found.entry.limits, lease });
  return await answerRead(found, http, { read, recording });
}

/** A call with its provider. */
interface Handling {
  readonly http: HttpCall;
  readonly call: ReadCall;
  readonly member: IngressMember;
  readonly route: Entry["route"];
  readonly recording: Recording;
}

function answerRead(
  found: Found,
  http: HttpCall,
  { read, recording }: { read: ReadBody; recording: Recording },
): MaybePromise<Answer> {
  recording.raw = read.wire;
  const { member, route } = found.entry;
  const call = new ReadCall(http, found, read);
  const made: Handling = { http, call, member, route, recording };
  // A copy, because the response may wait for the log: docs/decisions/0019.
  const handling = { ...made };
  const refusal = read.refusal ?? methodRefusal(found, http);
  if (refusal !== undefined) return refuseWith(refusal, handling);
  let answer: MaybePromise<Answer>;
  try {
    const denied = route.public ? undefined : member.provider.authorize?.(call, recording.env);
    answer = denied instanceof Promise
      ? denied.then((denied) => denied ?? handle(handling))
      : denied ?? handle(handling);
  } catch (error) {
    return fail(error, handling);
  }
  if (!(answer instanceof Promise)) return finish(answer, handling);
  return answer.then((answer) => finish(answer, handling), (error) => fail(error, handling));
}

function handle(handling: Handling): MaybePromise<Answer> {
  const { http, call, member, route, recording } = handling;
  const answered = () =>
    member.gate.armed ? handleWithFaults(call, handling) : route.handle(call, recording.env);
  // Includes what other instances acknowledged.
  const current = http.method === "GET" || http.method === "DELETE"
    ? recording.env.ctx.events.current()
    : undefined;
  return current === undefined ? answered() : current.then(answered);
}

function finish(answer: Answer, handling: Handling): MaybePromise<Answer> {
  return finishCall(
    handling.recording,
    answer,
    (error) => refuse(unavailable(error), handling),
  );
}

async function refuseWith(refusal: Refusal, handling: Handling): Promise<Answer> {
  return await finish(await refuse(refusal, handling), handling);
}

function fail(error: unknown, handling: Handling): Promise<Answer> {
  return refuseWith(toRefusal(error, handling), handling);
}

const FAULT: Refusal = {
  kind: "internal",
  status: 500,
  message: "Cannot answer this request: an unexpected error, see the log of the service",
};

/** Responds to an exception of a handler; there may be no room for that response either. */
function toRefusal(error: unknown, { call, member, recording }: Handling): Refusal {
  if (error instanceof MemoryFullError) return busy(error);
  if (error instanceof LogWriteError) return unavailable(error);
  recording.env.ctx.log.error("Cannot answer an ingress request", {
    provider: member.provider.id,
    path: call.target,
    error,
  });
  return FAULT;
}

/** Refuses a call whose captures the log cannot store. */
function unavailable({ message }: LogWriteError): Refusal {
  return { kind: "unavailable", status: 503, message };
}

async function refuse(
  refusal: Refusal,
  { call, member: { provider }, recording }: Handling,
): Promise<Response> {
  const { env } = recording;
  const response = await provider.refuse?.(call, refusal, env) ??
    plainText(refusal.message, refusal.status);
  // RFC 9110 section 15.5.6
  if (refusal.allow !== undefined) response.headers.set("allow", refusal.allow.join(", "));
  if (refusal.kind !== "busy" && refusal.kind !== "unavailable") return response;
  response.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
  if (!recording.rejected) env.reject({ status: response.status, reason: refusal.message });
  return response;
}

function methodRefusal({ allow }: Found, http: HttpCall): Refusal | undefined {
  if (allow === undefined) return undefined;
  return {
    kind: "method_not_allowed",
    status: 405,
    message: `Cannot ${http.method} ${http.path}: allowed are ${allow.join(", ")}`,
    allow,
  };
}

/** No vendor refuses like this, so the format is our own. */
async function answerForeign(
  http: HttpCall,
  error: string,
  options: { rejected: RejectedJournal; maxBody: number },
): Promise<Response> {
  const wire = await readPrefix(http, Math.min(options.maxBody, PREFIX));
  options.rejected.add({ ...toRejected(http, wire), status: 403, reason: error });
  return speaksJson(http) ? json({ error }, 403) : plainText(error, 403);
}

/** Answers 404 with the available routes, in the client's format. */
async function answerUnmatched(
  http: HttpCall,
  options: {
    members: readonly IngressMember[];
    rejected: RejectedJournal;
    maxBody: number;
    /** Path that is accepted, if only the number of slashes differs. */
    meant: string | undefined;
  },
): Promise<Response> {
  const wire = await readPrefix(http, Math.min(options.maxBody, PREFIX));
  const hint = options.meant === undefined
    ? ""
    : `; did you mean ${options.meant}? The client's base URL may end with one slash too many`;
  const error = `Cannot find ${http.method} ${http.path}: no enabled provider accepts it${hint}`;
  options.rejected.add({ ...toRejected(http, wire), status: 404, reason: error });
  const providers = options.members.map(({ plugin, provider, env }) => ({
    plugin,
    provider: provider.id,
    endpoints: provider.routes.filter((route) => isShown(route, env.values))
      .flatMap((route) => pathsOf(route, env.values).map((path) => `${route.method} ${path}`)),
  }));
  if (speaksJson(http)) return json({ error, providers }, 404);
  const lines = providers.flatMap(({ plugin, provider, endpoints }) => [
    `${plugin}/${provider}`,
    ...endpoints.map((endpoint) => `  ${endpoint}`),
  ]);
  const text = [error, "", ...(lines.length > 0 ? ["Enabled here:", ...lines] : [])].join("\n");
  return plainText(text, 404);
}

function plainText(text: string, status: number): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

function speaksJson(http: HttpCall): boolean {
  if (/\bjson\b/i.test(http.headers.get("content-type") ?? "")) return true;
  const accept = http.headers.get("accept");
  if (accept === null || accept === "*/*") return false;
  return accepts(http, "text/plain", "application/json") === "application/json";
}
