/** Which names a bucket may have (Amazon S3 user guide, "General purpose bucket naming rules"). */

const BUCKET = /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** Whether a bucket may be called so. */
export function isBucketName(name: string, maxBytes: number): boolean {
  return name.length <= maxBytes && BUCKET.test(name) && !/\.\.|\.-|-\./.test(name) &&
    !IPV4.test(name);
}

const encoder = new TextEncoder();

/** Length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
