/** Valid names of buckets (Amazon S3 user guide, "General purpose bucket naming rules"). */

const BUCKET = /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** Returns whether a name is a valid bucket name. */
export function isBucketName(name: string, maxBytes: number): boolean {
  return name.length <= maxBytes && BUCKET.test(name) && !/\.\.|\.-|-\./.test(name) &&
    !IPV4.test(name);
}

const encoder = new TextEncoder();

/** Returns the length in bytes of UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
