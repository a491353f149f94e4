import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { S3Operation } from "./model.ts";

/** Returns the object, and the one that it was copied from. */
export function storyKeysOfS3(event: CapturedEvent): StoryKey[] {
  const { bucket, key, source } = (event as CapturedEvent<S3Operation>).payload;
  const objects = [{ bucket, key }, ...(source === undefined ? [] : [source])];
  return objects.flatMap(({ bucket, key }): StoryKey[] =>
    key === undefined ? [] : [{ kind: "object", name: "object", value: `${bucket}/${key}` }]
  );
}
