/** The read-back API of the catalog, under `/api/v1/s3`. */
import { LongList } from "../../core/bytes/long_list.ts";
import { compact } from "../../core/compact.ts";
import { ApiError } from "../../core/errors.ts";
import type { HttpCall } from "../../core/http/call.ts";
import { boolean, instant, text } from "../../core/http/params.ts";
import { bytesDoc, emptyDoc, errorDoc, json, noContent } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import { type Actor, type S3State, tellBucket, tellDeletion, tellObject } from "./capture.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { findVersion } from "./catalog/find_version.ts";
import { type DeleteEntry, idOf, type StoredObject } from "./catalog/model.ts";
import { sendContent } from "./content.ts";
import { S3Error } from "./errors.ts";
import { readLock } from "./http/lock.ts";
import { runLifecycle } from "./lifecycle.ts";
import { LIST_QUERY, pageOfVersions, toPage, VERSIONS_QUERY } from "./pages.ts";
import {
  BucketsViewShape,
  BucketViewShape,
  LifecycleRunShape,
  ObjectsViewShape,
  ObjectViewShape,
  toBucket,
  toBuckets,
  toObject,
  toUpload,
  toVersion,
  UploadsViewShape,
  VersionsViewShape,
} from "./views.ts";

const route = routeFor<S3State>();

const UNKNOWN = errorDoc("Unknown bucket or key");
const BAD_PARAMETER = errorDoc("A parameter is invalid");

const MARKER = errorDoc("The version is a delete marker");
const VERSION_QUERY = { version_id: text("Id of a version; by default the current object") };

/** Every route of the read-back API of the catalog. */
export const routes: readonly Route<S3State>[] = [
  route({
    method: "GET",
    path: "/buckets",
    summary: "List all buckets, with totals",
    replies: { 200: { about: "Buckets", content: { "application/json": BucketsViewShape } } },
    handle: ({ state }) => json(toBuckets(state.catalog)),
  }),
  route({
    method: "DELETE",
    path: "/buckets",
    summary: "Delete all buckets, objects and inactive uploads; the events stay",
    replies: { 204: emptyDoc("Emptied") },
    async handle({ state }) {
      await state.catalog.clear();
      return noContent();
    },
  }),
  route({
    method: "GET",
    path: "/buckets/{bucket}",
    summary: "Fetch one bucket",
    replies: {
      200: { about: "The bucket", content: { "application/json": BucketViewShape } },
      404: UNKNOWN,
    },
    handle: ({ params, state }) =>
      answer(() => json(toBucket(state.catalog.bucket(params.bucket)))),
  }),
  route({
    method: "DELETE",
    path: "/buckets/{bucket}",
    summary: "Delete a bucket",
    query: { recursive: boolean("Whether to delete its objects and inactive uploads first") },
    replies: {
      204: emptyDoc("Deleted"),
      400: BAD_PARAMETER,
      404: UNKNOWN,
      409: errorDoc("It is not empty and recursive was not set, or an upload is in progress"),
    },
    handle: ({ params, query, http, state, ctx }) =>
      answer(async () => {
        const bucket = state.catalog.bucket(params.bucket);
        await deleteBucket(state.catalog, bucket, {
          actor: toActor(ctx, http, state),
          recursive: query.recursive ?? false,
        });
        return noContent();
      }),
  }),
  route({
    method: "GET",
    path: "/buckets/{bucket}/objects",
    summary: "List one page of a bucket, by key",
    query: LIST_QUERY,
    replies: {
      200: { about: "The page", content: { "application/json": ObjectsViewShape } },
      400: BAD_PARAMETER,
      404: UNKNOWN,
    },
    handle: ({ params, query, http, state }) =>
      answer(() => json(toPage(state.catalog.bucket(params.bucket), http.target, query))),
  }),
  route({
    method: "GET",
    path: "/buckets/{bucket}/objects/{key...}",
    summary: "Fetch one object, by its exact key",
    replies: {
      200: { about: "The object", content: { "application/json": ObjectViewShape } },
      404: UNKNOWN,
    },
    handle: ({ params, state: { catalog } }) =>
      answer(() => {
        const bucket = catalog.bucket(params.bucket);
        return json(toObject(bucket.name, findVersion(bucket, params)));
      }),
  }),
  route({
    method: "DELETE",
    path: "/buckets/{bucket}/objects/{key...}",
    summary: "Delete one object; in a bucket with versions it remains behind a delete marker",
    query: VERSION_QUERY,
    replies: { 204: emptyDoc("Deleted"), 400: BAD_PARAMETER, 404: UNKNOWN },
    handle: ({ params, query, http, state, ctx }) =>
      answer(async () => {
        const { catalog } = state;
        const bucket = catalog.bucket(params.bucket);
        const entry = { key: params.key, version: query.version_id };
        // A delete marker can be deleted, too.
        if (entry.version === undefined || bucket.version(entry.key, entry.version) === undefined) {
          findVersion(bucket, entry);
        }
        const deletion = await catalog.delete(bucket, entry);
        if (deletion !== undefined) tellDeletion(toActor(ctx, http, state), bucket.name, deletion);
        return noContent();
      }),
  }),
  route({
    method: "POST",
    path: "/lifecycle/run",
    summary: "Apply the lifecycle rules of every bucket: expire objects and abort uploads",
    query: { at: instant("Time as of which to apply them; by default now") },
    replies: {
      200: { about: "The result", content: { "application/json": LifecycleRunShape } },
      400: BAD_PARAMETER,
    },
    handle: ({ query, http, state, ctx }) =>
      answer(async () => {
        const { catalog } = state;
        const at = query.at?.(catalog.now()) ?? catalog.now();
        const actor = { ...toActor(ctx, http, state), meta: { cause: "lifecycle" } };
        return json({ ...await runLifecycle(catalog, { at, actor }) });
      }),
  }),
  route({
    method: "GET",
    path: "/uploads",
    summary: "List the multipart uploads in progress, by key",
    query: { bucket: text("Only uploads into this bucket") },
    replies: { 200: { about: "Uploads", content: { "application/json": UploadsViewShape } } },
    handle: ({ query, http, state: { catalog } }) =>
      json({
        uploads: new LongList(catalog.uploads.list(query.bucket), toUpload),
        self: http.target,
      }),
  }),
  route({
    method: "DELETE",
    path: "/uploads/{id}",
    summary: "Abort a multipart upload and delete its parts",
    replies: {
      204: emptyDoc("Aborted"),
      404: errorDoc("Unknown upload"),
      409: errorDoc("A request is using it"),
    },
    handle: ({ params, state: { catalog } }) => abortUpload(catalog, params.id),
  }),
  route({
    method: "GET",
    path: "/buckets/{bucket}/content/{key...}",
    summary: "Fetch the bytes of an object, always as an attachment",
    query: VERSION_QUERY,
    replies: {
      200: bytesDoc("The object"),
      206: bytesDoc("The requested range"),
      304: emptyDoc("Not modified"),
      400: BAD_PARAMETER,
      404: UNKNOWN,
      405: MARKER,
      412: errorDoc("A precondition failed"),
      416: errorDoc("The range is outside the object"),
    },
    handle: ({ params, query, http, state: { catalog } }) =>
      answer(() => {
        const asked = { key: params.key, version: query.version_id, http };
        return sendContent(catalog, catalog.bucket(params.bucket), asked);
      }),
  }),
  route({
    method: "GET",
    path: "/buckets/{bucket}/versions/{key...}",
    summary: "List one page of the versions of a key, newest first",
    query: VERSIONS_QUERY,
    replies: {
      200: { about: "The versions", content: { "application/json": VersionsViewShape } },
      400: BAD_PARAMETER,
      404: UNKNOWN,
    },
    handle: ({ params, query, http, state: { catalog } }) =>
      answer(() => {
        const bucket = catalog.bucket(params.bucket);
        const page = pageOfVersions(bucket, { key: params.key, ...query });
        if (page.count === 0) findVersion(bucket, params);
        return json({
          bucket: bucket.name,
          key: params.key,
          count: page.count,
          versions: new LongList(page.versions, (version) => toVersion(bucket, version)),
          ...compact({ next: page.next }),
          self: http.target,
        });
      }),
  }),
  route({
    method: "POST",
    path: "/buckets/{bucket}/restore/{key...}",
    summary: "Restore an earlier version as the current object, by copying it",
    query: VERSION_QUERY,
    replies: {
      200: { about: "The new object", content: { "application/json": ObjectViewShape } },
      400: BAD_PARAMETER,
      404: UNKNOWN,
      405: MARKER,
      409: errorDoc("It is already the current object"),
      503: errorDoc("There are too many objects, or the disk is full"),
    },
    handle: ({ params, query, http, state, ctx }) =>
      answer(async () => {
        const { catalog } = state;
        if (query.version_id === undefined) {
          throw new ApiError(400, "Cannot restore without version_id: name the version");
        }
        const bucket = catalog.bucket(params.bucket);
        const wanted = { key: params.key, version: query.version_id };
        return json(
          toObject(bucket.name, await restore(catalog, bucket, wanted, toActor(ctx, http, state))),
        );
      }),
  }),
];

async function restore(
  catalog: Catalog,
  bucket: Bucket,
  wanted: { readonly key: string; readonly version: string },
  actor: Actor,
): Promise<StoredObject> {
  const source = findVersion(bucket, wanted);
  if (bucket.newest(wanted.key) === source) {
    throw new ApiError(409, `Cannot restore version "${wanted.version}": it is the current object`);
  }
  const { version, retention: _retention, legalHold: _hold, ...about } = source;
  // A copy has the lock of a new object.
  const lock = readLock(new Headers(), { bucket, now: catalog.now() });
  const copy = { ...about, ...lock, modified: catalog.now(), blob: catalog.share(source) };
  const object = await catalog.put(bucket, copy, { isShared: true });
  tellObject(actor, object, {
    operation: "object.copy",
    bucket: bucket.name,
    source: { bucket: bucket.name, key: wanted.key, ...compact({ version_id: version?.id }) },
  });
  return object;
}

async function abortUpload(catalog: Catalog, id: string): Promise<Response> {
  const upload = catalog.uploads.list().find((one) => one.id === id);
  if (upload === undefined) {
    throw new ApiError(404, `Cannot find multipart upload "${id}": it was completed or aborted`);
  }
  if (upload.busy) {
    throw new ApiError(
      409,
      `Cannot abort multipart upload "${id}": a request is using it; try again`,
    );
  }
  await catalog.uploads.abort(upload);
  return noContent();
}

async function deleteBucket(
  catalog: Catalog,
  bucket: Bucket,
  { actor, recursive }: { actor: Actor; recursive: boolean },
): Promise<void> {
  const busy = catalog.uploads.list(bucket.name).filter((upload) => upload.busy).length;
  if (busy > 0) {
    throw new ApiError(
      409,
      `Cannot delete bucket "${bucket.name}": ${busy} uploads have a request in flight; try again`,
    );
  }
  if (recursive) {
    const choose = (): readonly DeleteEntry[] =>
      [...bucket.everyVersion()].map((one) => ({ key: one.key, version: idOf(one) }));
    for (const deletion of await catalog.deleteMany(bucket, choose)) {
      if (deletion !== undefined) tellDeletion(actor, bucket.name, deletion);
    }
  }
  await catalog.deleteBucket(bucket);
  tellBucket(actor, bucket, "bucket.delete");
}

/** Records a change through this API like any other. */
function toActor(ctx: RouteContext, call: HttpCall, { announce }: S3State): Actor {
  return {
    call,
    capture(event) {
      const added = ctx.events.add(ctx.plugin, "api", event);
      announce?.(added);
      return added;
    },
  };
}

async function answer(make: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof S3Error) throw new ApiError(error.status, error.message, error.headers);
    throw error;
  }
}
