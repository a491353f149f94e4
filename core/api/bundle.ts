import type { MemoryLease } from "../memory/lease.ts";
import { ApiError, MemoryFullError, StoreFullError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { ExpectationRecord } from "../expect/history.ts";
import { checkNames, FILTER_PARAMS, TEXT_PARAMS, withFindings } from "../http/list.ts";
import { noteHeld } from "../http/answer.ts";
import { contentDisposition } from "../http/disposition.ts";
import { BodyTooLargeError, readBody } from "../http/server/body/body.ts";
import { text, word } from "../http/params.ts";
import { errorDoc, json } from "../http/reply.ts";
import { routeFor } from "../http/route.ts";
import { CAPTURED_HEADERS } from "../http/security.ts";
import { harRequests, toHar } from "../bundle/har.ts";
import { MAX_ARCHIVE_BYTES } from "../bundle/record.ts";
import { compact } from "../compact.ts";
import { Type } from "../shape_type.ts";
import type { ApiState } from "./state.ts";

/** JSON shape of the report on an import. */
export const ImportedShape = Type.Object({
  imported: Type.Integer({ description: "Events that were added" }),
  known: Type.Integer({ description: "Events that were already here; they stay unchanged" }),
  dropped: Type.Integer({
    description: "Events dropped for lack of room, or because of their age",
  }),
}, { $id: "service.Imported" });

const route = routeFor<ApiState>();

const PLUGIN = text("Only events of this plugin");

/** Bytes held while a bundle is packed. */
const PACKER_BYTES = 4 * 1024 * 1024;

/** Instances with an import in progress: one at a time, because a bundle may be large. */
const importing = new WeakSet<ApiState>();

/** Routes that export and import captures as one file. */
export const bundleRoutes = [
  route({
    method: "GET",
    path: "/export",
    summary: "Download the captures as one file that an instance can import",
    query: {
      format: word(
        "bundle: a ZIP archive of events, raw requests and attachments; har: HTTP Archive 1.2 of the HTTP requests",
        ["bundle", "har"],
      ),
      plugin: PLUGIN,
      namespace: FILTER_PARAMS.namespace,
      checks: TEXT_PARAMS.checks,
    },
    replies: {
      200: {
        about: "The file",
        content: {
          "application/zip": Type.String({ format: "binary" }),
          "application/json": Type.Unknown(),
        },
      },
      400: errorDoc("A parameter cannot be read"),
      413: errorDoc("More than a bundle can hold"),
    },
    async handle({ query: { format, plugin, namespace, checks }, state, ctx }) {
      const filter = compact({ plugin, namespace });
      checkNames(filter, { ctx, comes: false });
      const events = await withFindings(state.events.list(filter).reverse(), checks, ctx);
      if (format === "har") return sendHar(events, state);
      return await sendBundle(events, state, state.expectations.list(filter));
    },
  }),
  route({
    method: "POST",
    path: "/import",
    summary:
      "Import the events of a bundle, all or none, with their ids, times, payloads and bytes",
    replies: {
      200: { about: "Imported", content: { "application/json": ImportedShape } },
      400: errorDoc("The bundle is incomplete"),
      409: errorDoc("The bundle does not fit this instance"),
      413: errorDoc("The bundle is too large, or there is no room for its attachments"),
      503: errorDoc("There is not enough memory at the moment"),
    },
    async handle({ http, state, lease }) {
      if (state.restoring.seeded) {
        throw new ApiError(
          409,
          "Cannot import into an instance with a seed: it would give the ids of the bundle to new events",
        );
      }
      if (importing.has(state)) {
        throw new ApiError(
          409,
          "Cannot import two bundles at once: wait for the other import to end",
        );
      }
      importing.add(state);
      try {
        const archive = await readBody(http, { maxBytes: MAX_ARCHIVE_BYTES, lease });
        return await takeIn(archive, { state, lease });
      } catch (error) {
        if (error instanceof MemoryFullError) throw error;
        if (error instanceof BodyTooLargeError || error instanceof StoreFullError) {
          throw new ApiError(413, error.message);
        }
        throw error;
      } finally {
        importing.delete(state);
      }
    },
  }),
];

async function takeIn(
  bundle: Uint8Array,
  { state, lease }: { state: ApiState; lease: MemoryLease },
): Promise<Response> {
  const { readBundle } = await import("../bundle/read.ts");
  const { restoring } = state;
  return json(
    await readBundle(bundle, {
      blobs: state.blobs,
      room: (unpackedBytes) => lease.cover(bundle.length + unpackedBytes),
      waste: (bytes) => lease.waste(bytes),
      now: () => state.now(),
      plugins: restoring.plugins,
      has: (id) => state.events.get(id) !== undefined,
      keepBlob: (ref, bytes) => restoring.blob(ref, bytes),
      keepEvents: (events) => restoring.events(events),
      keepExpectations: (records) => restoring.expectations(records),
    }),
  );
}

async function sendBundle(
  events: readonly CapturedEvent[],
  state: ApiState,
  expectations: readonly ExpectationRecord[],
): Promise<Response> {
  const { writeBundle } = await import("../bundle/write.ts");
  const body = await writeBundle({
    events,
    blobs: state.blobs,
    expectations,
    about: {
      program: state.version,
      instance: state.readiness().instance,
      exported_at: state.now().toISOString(),
    },
  });
  const headers = fileHeaders("application/zip", "standin-bundle.zip");
  return noteHeld(new Response(body, { headers }), PACKER_BYTES, { heavy: true });
}

function sendHar(events: readonly CapturedEvent[], state: ApiState): Response {
  const response = json(toHar(harRequests(events), { name: "standin", version: state.version }));
  const headers = fileHeaders("application/json; charset=utf-8", "standin.har");
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function fileHeaders(contentType: string, filename: string): Record<string, string> {
  return {
    ...CAPTURED_HEADERS,
    "content-type": contentType,
    "content-disposition": contentDisposition("attachment", filename),
  };
}
