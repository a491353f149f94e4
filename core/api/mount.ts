import { ApiError, MemoryFullError } from "../errors.ts";
import type { HttpCall, HttpHandler } from "../http/call.ts";
import { ASSETS_PATH, type AssetSource, sendAsset } from "../http/assets.ts";
import { readQuery, readRouteQuery } from "../http/query.ts";
import { BodyIncompleteError } from "../http/server/body/body.ts";
import { apiError, RETRY_AFTER_SECONDS } from "../http/reply.ts";
import type { Route, RouteContext } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { protect } from "../http/security.ts";
import type { Logger } from "../log.ts";
import type { Memory } from "../memory/budget.ts";
import type { PluginState } from "../plugin.ts";
import { createReaders } from "./cors.ts";
import { foreignReason, saferLink, TOKEN_CHALLENGE, tokenReason } from "./guard.ts";
import { METRICS_PATH, sendMetrics } from "./metrics.ts";
import { API_BASE, coreRoutes } from "./openapi.ts";
import type { ApiState } from "./state.ts";
import { streamForUi, UI_STREAM_PARAMS } from "./stream.ts";

/** A plugin's read-back routes with their state. */
export interface MountedPlugin {
  readonly id: string;
  readonly routes: readonly Route<never>[];
  readonly state: PluginState;
  readonly ctx: RouteContext;
}

/** Approximate bytes generated for a response before it waits for memory. */
const ANSWER_BYTES = 262_144;
/** Paths that are answered at once, whatever fills the memory. */
const PROBES: ReadonlySet<string> = new Set([`${API_BASE}/health`, `${API_BASE}/ready`]);

interface Mounted {
  readonly method: string;
  readonly path: string;
  /** Resolves once everything acknowledged before the call is shown. */
  current(): Promise<unknown>;
  run(http: HttpCall, params: Readonly<Record<string, string>>): Promise<Response>;
}

/** Routes that answer even if the list of events is out of date. */
const BLIND: ReadonlySet<string> = new Set(
  ["health", "ready", "plugins", "openapi.json", "tls/ca.pem"].map((name) => `${API_BASE}/${name}`),
);

const BLOB_PATH = `${API_BASE}/blobs/{id}`;

/** Path of the Model Context Protocol. */
const MCP_PATH = "/mcp";

/**
 * Returns whether a path belongs to the UI, the read-back API or the tools for agents. The root
 * does only for browsers, because some vendors accept calls there.
 */
export function isServicePath(path: string, method: string): boolean {
  return (path === "/" && method !== "POST") || path === "/favicon.ico" || path === "/ui" ||
    path === "/api/v1" ||
    path === METRICS_PATH || path === MCP_PATH || path.startsWith("/ui/") ||
    path.startsWith("/api/v1/");
}

/** Creates the read-back API and, with `assets`, the UI. */
export function createService(options: {
  state: ApiState;
  core: RouteContext;
  plugins: readonly MountedPlugin[];
  assets?: AssetSource;
  host: string;
  /** Origins of other pages that may read. */
  corsOrigins: readonly string[];
  /** Token that every request must send, if set. */
  token?: string;
  log: Logger;
}): HttpHandler {
  const { state, log } = options;
  const readers = createReaders(options.corsOrigins);
  const router = createRouter([
    ...mount(API_BASE, coreRoutes, {
      state,
      ctx: options.core,
      budget: state.budget,
      current: (path) =>
        Promise.all([
          state.events.current(),
          // Blobs are named by events, but may be those of a plugin.
          ...path === BLOB_PATH ? options.plugins.map((plugin) => plugin.state.current?.()) : [],
        ]),
    }),
    ...options.plugins.flatMap(({ id, routes, state: own, ctx }) =>
      mount(`${API_BASE}/${id}`, routes, {
        state: own,
        ctx,
        budget: state.budget,
        current: () => Promise.all([state.events.current(), own.current?.()]),
      })
    ),
  ]);
  const pages = new Set([
    "",
    "events",
    "stories",
    "rejected",
    "faults",
    "callbacks",
    ...state.enabledPlugins,
  ]);

  async function answer(call: HttpCall): Promise<Response> {
    const mayRead = readers.originOf(call) !== undefined;
    const foreign = foreignReason(call, { ownHost: options.host, mayRead });
    if (foreign !== undefined) {
      note(call, 403, foreign);
      return apiError(403, foreign);
    }
    const safer = saferLink(call);
    if (safer !== undefined) return redirect(safer);
    const leave = readers.preflight(call);
    if (leave !== undefined) return leave;
    const unknown = tokenReason(call, options.token);
    if (unknown !== undefined) {
      // A browser sends its first request without the token, and then prompts its user.
      if (call.headers.has("authorization")) note(call, 401, unknown);
      else log.debug("Asked for the token", { peer: call.peer, path: call.path });
      return apiError(401, unknown, { "www-authenticate": TOKEN_CHALLENGE });
    }
    if (call.path.startsWith(`${API_BASE}/`)) return await answerApi(call);
    if (call.path === METRICS_PATH) return sendMetrics(call, state);
    if (call.path === MCP_PATH && options.assets !== undefined) return await answerMcp(call);
    if (options.assets !== undefined) return await answerUi(call, options.assets);
    return apiError(404, `Cannot find "${call.path}": the read-back API is under ${API_BASE}/`);
  }

  function note(call: HttpCall, status: number, reason: string): void {
    state.rejected.add({
      peer: call.peer,
      method: call.method,
      path: call.target,
      status,
      reason,
      headers: call.rawHeaders,
      raw: new Uint8Array(),
    });
  }

  async function answerApi(call: HttpCall): Promise<Response> {
    const match = router.match(call.method, call.path);
    if (match === undefined) {
      return apiError(404, `Cannot find "${call.path}": ${API_BASE}/openapi.json lists the routes`);
    }
    if ("allow" in match) {
      const allow = match.allow.join(", ");
      return apiError(405, `Cannot ${call.method} "${call.path}": allowed are ${allow}`, { allow });
    }
    if (!BLIND.has(call.path)) await match.entry.current();
    // Many readers must not request responses faster than their garbage is collected.
    if (call.method === "GET" && !PROBES.has(call.path)) await state.budget.spend(ANSWER_BYTES);
    const response = await match.entry.run(call, match.params);
    // Deleted events must not come back.
    if (call.method !== "GET") await state.events.settled();
    return response;
  }

  async function answerUi(call: HttpCall, assets: AssetSource): Promise<Response> {
    if (call.method !== "GET" && call.method !== "HEAD") {
      return apiError(405, `Cannot ${call.method} "${call.path}": allowed are GET, HEAD`, {
        allow: "GET, HEAD",
      });
    }
    const { headers } = call;
    if (call.path === "/ui/stream") {
      await state.events.current();
      return streamForUi(state, readQuery(call.search, UI_STREAM_PARAMS));
    }
    if (call.path.startsWith(ASSETS_PATH)) {
      const name = call.path.slice(ASSETS_PATH.length);
      return await sendAsset(assets, name, { headers }) ??
        apiError(404, `Cannot find UI file "${name}"`);
    }
    if (call.path === "/" || call.path === "/ui") return redirect("/ui/");
    const [page = "", id, ...more] = call.path.slice("/ui/".length).split("/");
    // Pages of folders end in a slash, so that relative links work.
    if (call.path.startsWith("/ui/") && id === undefined && page !== "" && pages.has(page)) {
      return redirect(`/ui/${page}/`);
    }
    const isEvent = page === "events" && id !== undefined && id !== "" && more.length === 0;
    const exists = call.path.startsWith("/ui/") &&
      (isEvent ? state.events.get(id) !== undefined : pages.has(page) && !id && more.length === 0);
    return await sendAsset(assets, "index.html", { headers, status: exists ? 200 : 404 }) ??
      apiError(404, `Cannot find "${call.path}"`);
  }

  let mcp: Promise<(call: HttpCall) => Promise<Response>> | undefined;

  /** Loaded on first use: most programs never need it. */
  async function answerMcp(call: HttpCall): Promise<Response> {
    mcp ??= import("./mcp.ts").then(({ createMcpEndpoint }) =>
      createMcpEndpoint({
        table: { routes: coreRoutes, filters: options.core.filters },
        budget: state.budget,
        answerApi: (inner) => orFail(inner, answerApi),
      })
    );
    return await (await mcp)(call);
  }

  async function orFail(
    call: HttpCall,
    answer: (call: HttpCall) => Promise<Response>,
  ): Promise<Response> {
    try {
      return await answer(call);
    } catch (error) {
      if (error instanceof ApiError) return apiError(error.status, error.message, error.headers);
      if (error instanceof MemoryFullError) {
        return apiError(503, error.message, { "retry-after": String(RETRY_AFTER_SECONDS) });
      }
      // The client is gone; the listener already knows.
      if (error instanceof BodyIncompleteError) throw error;
      log.error("Cannot answer a read-back request", { path: call.target, error });
      return apiError(500, "Cannot answer this request: an unexpected error, see the log");
    }
  }

  async function handle(call: HttpCall): Promise<Response> {
    const response = await orFail(call, answer);
    protect(response.headers);
    readers.admit(response.headers, readers.originOf(call));
    return response;
  }

  return handle;
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

function mount<S>(
  base: string,
  routes: readonly Route<S>[],
  { state, ctx, budget, current }: {
    readonly state: unknown;
    readonly ctx: RouteContext;
    readonly budget: Memory;
    current(path: string): Promise<unknown>;
  },
): Mounted[] {
  return routes.map((route) => ({
    method: route.method,
    path: base + route.path,
    current: () => current(base + route.path),
    async run(http, params) {
      using lease = budget.lease({ gone: http.gone });
      return await route.handle({
        http,
        params,
        query: readRouteQuery(http.search, route, ctx),
        state: state as S,
        ctx,
        lease,
      });
    },
  }));
}
