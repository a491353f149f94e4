/**
 * The request target: `/bucket`, `/bucket/` or `/bucket/key`, percent-encoded once (path style); `/key` if the host
 * names the bucket (Amazon S3 user guide, "Virtual hosting of general purpose buckets").
 *
 * @module
 */

/** The bucket and key of a request. */
export interface Target {
  /** Empty for the service itself. */
  readonly bucket: string;
  /** Decoded; empty for the bucket itself. */
  readonly key: string;
}

/**
 * Splits at the first `/` after the bucket; everything after it is the key, including slashes. Returns `undefined` if
 * it is not percent-encoded UTF-8.
 */
export function readTarget(path: string): Target | undefined {
  const rest = path.replace(/^\//, "");
  const slash = rest.indexOf("/");
  const bucket = decode(slash < 0 ? rest : rest.slice(0, slash));
  const key = decode(slash < 0 ? "" : rest.slice(slash + 1));
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

/**
 * Returns the bucket in a lower-case host: the part before a domain. `undefined` for the domain itself, or another one.
 */
export function hostedBucket(host: string, domain: string | undefined): string | undefined {
  if (domain === undefined || !host.endsWith(`.${domain}`)) return undefined;
  return host.slice(0, -domain.length - 1) || undefined;
}

/** Returns the target in a bucket named by the host. `undefined` if it is not percent-encoded UTF-8. */
export function readHostedTarget(bucket: string, path: string): Target | undefined {
  const key = decode(path.replace(/^\//, ""));
  return key === undefined ? undefined : { bucket, key };
}

/** The source of a copy. */
export interface SourceTarget extends Target {
  /** Absent if not in the header. */
  readonly version?: string;
}

/**
 * Parses `[/]bucket/key[?versionId=id]` of `x-amz-copy-source`. Some clients also encode the slash after the bucket.
 * Returns `undefined` without a key, for anything but percent-encoded UTF-8, and for anything else after a `?`.
 */
export function readCopySource(header: string): SourceTarget | undefined {
  const [, path = "", encoded] = /^([^?]*)(?:\?versionId=(.*))?$/s.exec(header) ?? [];
  const text = decode(path)?.replace(/^\//, "") ?? "";
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) return undefined;
  const target = { bucket: text.slice(0, slash), key: text.slice(slash + 1) };
  if (encoded === undefined) return target;
  const version = decode(encoded);
  return version === undefined ? undefined : { ...target, version };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Encodes a key as `encoding-type=url` does: `/` stays, `+` is encoded. */
export function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed());
  return encoded.replaceAll("%2F", "/").replace(
    /[!'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
