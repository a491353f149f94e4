/** Deletions in the store, each after a confirmation. */
import { getJson, messageOf, remove } from "../../lib/api.js";
import { formatCount, plural } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { confirm } from "../../components/dialog.js";
import { toast } from "../../components/toast.js";
import { objectsPath } from "./listing.js";
import { lockOf } from "./protection.js";
import { isAddressable } from "./snippets.js";

/** @import { BucketView, ObjectsView, ObjectView, UploadView, VersionView } from "./types.d.ts" */

const FOR_ALL = "for everyone who uses this service. This cannot be undone.";
/** Objects of a folder deleted in parallel. */
const LANES = 8;

/**
 * Runs a deletion, then reports success or the fault.
 * @param {() => Promise<string>} run returns the notice to show
 */
async function act(run) {
  try {
    toast(await run());
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}

/** @param {string} link as the API gives it */
function removeLink(link) {
  return remove(link.replace(/^\/api\/v1/, ""));
}

/**
 * @param {{ buckets: number, objects: number }} stats
 * @param {() => void} done
 */
export function askToEmpty({ buckets, objects }, done) {
  const what = `${plural(buckets, "bucket")} with ${plural(objects, "object")}`;
  confirm({
    title: `Delete ${what}?`,
    text: `Every bucket, object and upload is removed ${FOR_ALL}`,
    action: `Delete ${plural(buckets, "bucket")}`,
    run: () =>
      act(async () => {
        await remove("/s3/buckets");
        setQuery({ bucket: null, prefix: null, key: null, search: null }, { replace: true });
        done();
        return "The store is empty";
      }),
  });
}

/** @param {BucketView} bucket */
export function askToDeleteBucket({ name, objects }) {
  const what = objects === 0 ? "bucket" : `bucket with ${plural(objects, "object")}`;
  confirm({
    title: `Delete the bucket "${name}"?`,
    text: `The bucket is removed with everything in it ${FOR_ALL}`,
    action: `Delete ${what}`,
    run: () =>
      act(async () => {
        await remove(`/s3/buckets/${encodeURIComponent(name)}?recursive=1`);
        setQuery({ bucket: null, prefix: null, key: null, search: null }, { replace: true });
        return "Bucket deleted";
      }),
  });
}

/**
 * @param {ObjectView} object
 * @param {{ next: string | null, hasVersions: boolean }} about `next` is shown afterwards
 */
export function askToDeleteObject({ links }, { next, hasVersions }) {
  confirm({
    title: "Delete this object?",
    text: hasVersions
      ? "A delete marker hides the object for everyone who uses this service. Its versions stay."
      : `The object is removed ${FOR_ALL}`,
    action: "Delete object",
    run: () =>
      act(async () => {
        await removeLink(links.self);
        setQuery({ key: next }, { replace: true });
        return "Object deleted";
      }),
  });
}

/**
 * @param {VersionView} version
 * @param {{ isOnly: boolean }} about whether it is the last version of its key
 */
export function askToDeleteVersion(version, { isOnly }) {
  const { delete_marker: isMarker, is_latest: isLatest, links } = version;
  const what = isMarker ? "delete marker" : "version";
  const then = isOnly
    ? ""
    : isMarker && isLatest
    ? " The version before it becomes the object again."
    : isLatest
    ? " The version before it becomes the newest."
    : "";
  const lock = lockOf(version);
  const locked = lock === undefined
    ? ""
    : ` It is locked (${lock}): clients of the store could not delete it.`;
  confirm({
    title: `Delete this ${what}?`,
    text: `The ${what} is removed ${FOR_ALL}${then}${locked}`,
    action: `Delete ${what}`,
    run: () =>
      act(async () => {
        await removeLink(links.self);
        return isMarker ? "Delete marker removed" : "Version deleted";
      }),
  });
}

/** @param {{ bucket: string, prefix: string }} folder */
export function askToDeleteFolder(folder) {
  confirm({
    title: "Delete this folder?",
    text: `Every object whose key begins with this prefix is removed ${FOR_ALL}`,
    action: "Delete folder",
    run: () =>
      act(async () => {
        const deleted = await deleteFolder(folder);
        setQuery({ key: null }, { replace: true });
        return `${formatCount(deleted)} objects deleted`;
      }),
  });
}

/**
 * Deletes page by page until nothing that can be deleted remains.
 * @param {{ bucket: string, prefix: string }} folder
 */
async function deleteFolder({ bucket, prefix }) {
  let deleted = 0;
  for (;;) {
    /** @type {ObjectsView} */
    const { objects } = await getJson(objectsPath(bucket, { prefix }));
    const waiting = objects.filter(({ key }) => isAddressable(key));
    if (waiting.length === 0) return deleted;
    deleted += waiting.length;
    const lane = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await removeLink(next.links.self);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}

/** @param {UploadView} upload */
export function askToAbort({ links, parts }) {
  confirm({
    title: "Abort this upload?",
    text: `${
      plural(parts, "part")
    } received so far are removed; the client cannot add more. This cannot be undone.`,
    action: "Abort upload",
    run: () =>
      act(async () => {
        await removeLink(links.self);
        return "Upload aborted";
      }),
  });
}
