import { ApiError } from "../errors.ts";
import type { HttpCall, HttpHandler } from "../http/call.ts";
import { type AssetMap, sendAsset } from "../http/assets.ts";
import { readQuery, readRouteQuery } from "../http/query.ts";
import { BodyIncompleteError } from "../http/server/body/body.ts";
import { apiError } from "../http/reply.ts";
import type { Route, RouteContext } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { protect } from "../http/security.ts";
import type { Logger } from "../log.ts";
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
  readonly state: unknown;
  readonly ctx: RouteContext;
}

interface Mounted {
  readonly method: string;
  readonly path: string;
  run(http: HttpCall, params: Readonly<Record<string, string>>): Response | Promise<Response>;
}

/** Returns whether a path belongs to the UI or the read-back API. */
export function isServicePath(path: string): boolean {
  return path === "/" || path === "/favicon.ico" || path === "/ui" || path === "/api/v1" ||
    path === METRICS_PATH || path.startsWith("/ui/") || path.startsWith("/api/v1/");
}

/** Creates the read-back API and, with `assets`, the UI. */
export function createService(options: {
  state: ApiState;
  core: RouteContext;
  plugins: readonly MountedPlugin[];
  assets?: AssetMap;
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
    ...mount(API_BASE, coreRoutes, state, options.core),
    ...options.plugins.flatMap((plugin) =>
      mount(`${API_BASE}/${plugin.id}`, plugin.routes, plugin.state, plugin.ctx)
    ),
  ]);
  const pages = new Set(["", "events", "rejected", "faults", ...state.enabledPlugins]);

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
      // A browser first asks without the token, and then asks its user.
      if (call.headers.has("authorization")) note(call, 401, unknown);
      else log.debug("Asked for the token", { peer: call.peer, path: call.path });
      return apiError(401, unknown, { "www-authenticate": TOKEN_CHALLENGE });
    }
    if (call.path.startsWith(`${API_BASE}/`)) return await answerApi(call);
    if (call.path === METRICS_PATH) return sendMetrics(call, state);
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
    const response = await match.entry.run(call, match.params);
    // What was deleted must not come back.
    if (call.method !== "GET") await state.events.settled();
    return response;
  }

  async function answerUi(call: HttpCall, assets: AssetMap): Promise<Response> {
    if (call.method !== "GET" && call.method !== "HEAD") {
      return apiError(405, `Cannot ${call.method} "${call.path}": allowed are GET, HEAD`, {
        allow: "GET, HEAD",
      });
    }
    const { headers } = call;
    if (call.path === "/ui/stream") {
      return streamForUi(state, readQuery(call.search, UI_STREAM_PARAMS));
    }
    if (call.path.startsWith("/ui/assets/")) {
      const name = call.path.slice("/ui/assets/".length);
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

  async function answerOrFail(call: HttpCall): Promise<Response> {
    try {
      return await answer(call);
    } catch (error) {
      if (error instanceof ApiError) return apiError(error.status, error.message, error.headers);
      // The client is gone, which the listener knows.
      if (error instanceof BodyIncompleteError) throw error;
      log.error("Cannot answer a read-back request", { path: call.target, error });
      return apiError(500, "Cannot answer this request: an unexpected fault, see the log");
    }
  }

  async function handle(call: HttpCall): Promise<Response> {
    const response = await answerOrFail(call);
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
  state: unknown,
  ctx: RouteContext,
): Mounted[] {
  return routes.map((route) => ({
    method: route.method,
    path: base + route.path,
    run: (http, params) =>
      route.handle({
        http,
        params,
        query: readRouteQuery(http.search, route, ctx),
        state: state as S,
        ctx,
      }),
  }));
}
