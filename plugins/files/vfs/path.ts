/**
 * The one resolver of paths: whatever a client or a caller of the API names goes through here, and nothing but its
 * result is looked up. A path never means a file of the machine.
 *
 * @module
 */
import { VfsError } from "./errors.ts";

/** Limits of paths; lengths in bytes of UTF-8. */
export const PATH_LIMITS = { depth: 32, nameBytes: 255, pathBytes: 4096 } as const;

const CONTROL = /\p{Cc}/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A path as it came over the wire, as text. Throws `VfsError` "invalid_path" for bytes that are no UTF-8. */
export function decodePath(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new VfsError("invalid_path", "Cannot use a path that is not valid UTF-8");
  }
}

/**
 * The absolute, clean form of `path`, seen from the directory `base`: backslashes are slashes, `.` and empty names
 * are left out, and `..` stops at the root. Throws `VfsError` "invalid_path".
 */
export function resolvePath(path: string, base = "/"): string {
  if (!path.isWellFormed()) refuse(path, "it is not valid Unicode");
  if (CONTROL.test(path)) refuse(path, "control characters are not allowed");
  const slashed = path.replaceAll("\\", "/");
  const names: string[] = [];
  for (const name of `${slashed.startsWith("/") ? "" : base}/${slashed}`.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const resolved = `/${names.join("/")}`;
  if (names.length > PATH_LIMITS.depth) {
    refuse(path, `it is ${names.length} levels deep, at most ${PATH_LIMITS.depth} are allowed`);
  }
  if (names.some((name) => byteLength(name) > PATH_LIMITS.nameBytes)) {
    refuse(path, `a name is longer than ${PATH_LIMITS.nameBytes} bytes`);
  }
  if (byteLength(resolved) > PATH_LIMITS.pathBytes) {
    refuse(path, `it is longer than ${PATH_LIMITS.pathBytes} bytes`);
  }
  return resolved;
}

/** Names of a resolved path, from the root down; none for the root. */
export function namesOf(path: string): readonly string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** Last name of a resolved path; `/` for the root. */
export function baseName(path: string): string {
  return path === "/" ? "/" : path.slice(path.lastIndexOf("/") + 1);
}

/** The directory that a resolved path lies in; the root lies in itself. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Bytes of `text` in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Longest part of a path that an error message quotes, in characters. */
const QUOTE = 200;

function refuse(path: string, detail: string): never {
  const shown = path.length > QUOTE ? `${path.slice(0, QUOTE)}…` : path;
  const printable = shown.toWellFormed().replaceAll(/\p{Cc}/gu, "�");
  throw new VfsError("invalid_path", `Cannot use path "${printable}": ${detail}`);
}
