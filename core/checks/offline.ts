import type { BlobStore } from "../blobs/blob.ts";
import type { AnyPlugin } from "../plugin.ts";
import type { ContextOf } from "./runner.ts";

/** The context of checks without a running service: each plugin has its default settings, and no server is queried. */
export function offlineContexts(plugins: readonly AnyPlugin[], blobs: BlobStore): ContextOf {
  return (id) => {
    const options = plugins.find((plugin) => plugin.id === id)?.options ?? {};
    const values = Object.entries(options).map(([key, { fallback }]) => [key, fallback]);
    return {
      blobs,
      now: () => new Date(),
      values: Object.fromEntries(values),
      connect: () => Promise.reject(new RangeError("Cannot connect: the service is not running")),
    };
  };
}
