import { Type } from "../shape_type.ts";
import { PluginInfoShape } from "./describe.ts";
import { compact } from "../compact.ts";
import { ApiError } from "../errors.ts";
import { boolean } from "../http/params.ts";
import { sendBlob } from "../http/range.ts";
import { bytesDoc, emptyDoc, errorDoc, json, noContent } from "../http/reply.ts";
import { routeFor } from "../http/route.ts";
import { ReadinessShape } from "./ready.ts";
import type { EngineState } from "../events/log.ts";
import type { ApiState } from "./state.ts";
import { toWriters, WritersShape } from "./writers.ts";

/** JSON shape of the health report. */
export const HealthShape = Type.Object({
  status: Type.String({ description: "Always ok: the program responds" }),
  uptime: Type.String({ description: "Such as 1h2m3s" }),
  uptime_seconds: Type.Number({ description: "The same in seconds" }),
  plugins: Type.Array(Type.String(), { description: "Plugins that run" }),
  events: Type.Integer({ description: "Events held" }),
  version: Type.String({ description: "Version of the program" }),
  instance: Type.Optional(Type.String({ description: "Name given with --instance" })),
  storage: Type.Object({
    events: Type.Union([
      Type.Literal("memory"),
      Type.Literal("filesystem"),
      Type.Literal("nats"),
    ]),
    path: Type.Optional(Type.String({ description: "Folder of the log of events" })),
    servers: Type.Optional(
      Type.Array(Type.String(), { description: "Servers of the log that instances share" }),
    ),
    connected: Type.Optional(Type.Boolean({ description: "Whether one of them responds" })),
    server: Type.Optional(Type.String({ description: "The one that is connected, or was last" })),
    behind: Type.Optional(
      Type.Integer({ description: "Messages of other instances that are not listed here yet" }),
    ),
    silent_seconds: Type.Optional(
      Type.Number({ description: "Time since it last answered; behind is as of then" }),
    ),
    writers: Type.Optional(WritersShape),
  }, { description: "Where events are kept" }),
}, { $id: "service.Health" });

const route = routeFor<ApiState>();

const PEM_TYPE = "application/x-pem-file";

/** Routes about the service itself, and the blobs. */
export const serviceRoutes = [
  route({
    method: "GET",
    path: "/health",
    summary: "Report status, uptime and version",
    replies: { 200: { about: "Running", content: { "application/json": HealthShape } } },
    handle({ state }) {
      const seconds = (state.now().getTime() - state.startedAt.getTime()) / 1000;
      return json({
        status: "ok",
        uptime: formatUptime(seconds),
        uptime_seconds: seconds,
        plugins: state.enabledPlugins,
        events: state.events.count(),
        version: state.version,
        ...compact({ instance: state.readiness().instance }),
        storage: {
          ...state.storage,
          ...toEngineView(state.engine()),
          ...toWriters(state.engine()),
        },
      });
    },
  }),
  route({
    method: "GET",
    path: "/plugins",
    summary: "Describe plugins and providers, with snippets on the live ports",
    query: { all: boolean("Include disabled plugins and providers") },
    replies: {
      200: {
        about: "The descriptions",
        content: { "application/json": Type.Array(PluginInfoShape) },
      },
      400: errorDoc("A parameter cannot be read"),
    },
    handle: ({ query, state }) => json(state.describe(query.all === true)),
  }),
  route({
    method: "GET",
    path: "/blobs/{id}",
    summary: "Read an attachment or uploaded file",
    query: { inline: boolean("Show inline instead of downloading") },
    replies: {
      200: bytesDoc("The bytes"),
      206: bytesDoc("The requested range"),
      304: emptyDoc("Not changed"),
      400: errorDoc("A parameter cannot be read"),
      404: errorDoc("Unknown or no longer held"),
      416: errorDoc("The range is outside the bytes"),
    },
    handle({ http, params, query, state }) {
      const ref = state.blobs.get(params.id);
      if (ref === undefined) throw new ApiError(404, `Cannot find blob "${params.id}"`);
      return sendBlob(state.blobs, ref.id, {
        headers: http.headers,
        contentType: ref.content_type,
        filename: ref.filename,
        disposition: query.inline === true ? "inline" : "attachment",
      });
    },
  }),
  route({
    method: "POST",
    path: "/reset",
    summary:
      "Clear everything: events, journal, blobs, plugin state, and the faults added over the API",
    replies: { 204: emptyDoc("Everything was cleared") },
    async handle({ state }) {
      await state.reset();
      return noContent();
    },
  }),
  route({
    method: "GET",
    path: "/tls/ca.pem",
    summary: "Get the CA that clients must trust for TLS",
    replies: {
      200: bytesDoc("The certificate of the CA, PEM", PEM_TYPE),
      404: errorDoc("The certificate comes from a file, and its issuer is unknown"),
    },
    async handle({ state }) {
      const ca = await state.ca();
      if (ca === undefined) {
        throw new ApiError(
          404,
          "Cannot return a CA: the certificate comes from [ingress] tls_cert_file; trust its issuer",
        );
      }
      return new Response(ca, {
        headers: {
          "content-type": PEM_TYPE,
          "content-disposition": 'attachment; filename="ca.pem"',
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        },
      });
    },
  }),
  route({
    method: "GET",
    path: "/openapi.json",
    summary: "Describe this API",
    replies: {
      200: { about: "OpenAPI 3.1", content: { "application/json": Type.Unknown() } },
    },
    handle: ({ state }) => json(state.openApi()),
  }),
  route({
    method: "GET",
    path: "/{plugin}/openapi.json",
    summary: "Describe a plugin's read-back API",
    replies: {
      200: { about: "OpenAPI 3.1", content: { "application/json": Type.Unknown() } },
      404: errorDoc("Unknown or disabled plugin, or one without routes"),
    },
    handle({ params, state }) {
      const description = state.openApi(params.plugin);
      if (description === undefined) {
        throw new ApiError(404, `Cannot describe plugin "${params.plugin}": it has no routes here`);
      }
      return json(description);
    },
  }),
  route({
    method: "GET",
    path: "/ready",
    summary:
      "Report every listener's address, whether it accepts connections, and whether events can be stored",
    replies: {
      200: {
        about: "Every listener accepts connections, and events can be stored",
        content: { "application/json": ReadinessShape },
      },
      503: {
        about: "Starting or stopping, or the event log accepts no events",
        content: { "application/json": ReadinessShape },
      },
    },
    handle({ state }) {
      const readiness = state.readiness();
      return json(readiness, readiness.status === "ready" ? 200 : 503);
    },
  }),
];

function toEngineView(
  engine: EngineState | undefined,
): { connected?: boolean; server?: string; behind?: number; silent_seconds?: number } {
  if (engine === undefined) return {};
  const { connected, server, behind, silentSeconds } = engine;
  return { connected, server, behind, silent_seconds: silentSeconds };
}

/** Formats a duration as `1h2m3s`, like Go. */
function formatUptime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}
