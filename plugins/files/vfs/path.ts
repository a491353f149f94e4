/**
 * The only resolver of paths: every path of a client or of the API passes through it, and only its result is looked up.
 * A path never means a file of the machine.
 *
 * @module
 */
import { toLatin1 } from "../../../core/bytes/latin1.ts";
import { VfsError } from "./errors.ts";

/** Limits of paths; lengths in bytes of UTF-8. */
export const PATH_LIMITS = { depth: 32, nameBytes: 255, pathBytes: 4096 } as const;

/** Each UTF-16 code unit has at most this many bytes in UTF-8. */
const UNIT_BYTES = 3;
const SHORT_BYTES = 64;
const CONTROL = /\p{Cc}/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a path from the wire. Throws `VfsError` "invalid_path" for bytes that are not UTF-8. */
export function decodePath(bytes: Uint8Array): string {
  // Most are short and ASCII, which takes the platform longer.
  if (bytes.length <= SHORT_BYTES && bytes.every((byte) => byte < 0x80)) return toLatin1(bytes);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new VfsError("invalid_path", "Cannot use a path that is not valid UTF-8");
  }
}

/**
 * Returns the absolute, clean form of `path`, relative to the directory `base`: backslashes become slashes, `.` and
 * empty names are dropped, and `..` stops at the root. Throws `VfsError` "invalid_path".
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
  if (names.some((name) => isLonger(name, PATH_LIMITS.nameBytes))) {
    refuse(path, `a name is longer than ${PATH_LIMITS.nameBytes} bytes`);
  }
  if (isLonger(resolved, PATH_LIMITS.pathBytes)) {
    refuse(path, `it is longer than ${PATH_LIMITS.pathBytes} bytes`);
  }
  return resolved;
}

/** Returns the names of a resolved path, from the root down; none for the root. */
export function namesOf(path: string): readonly string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** Returns the last name of a resolved path; `/` for the root. */
export function baseName(path: string): string {
  return path === "/" ? "/" : path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the directory of a resolved path; the root is its own. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Returns the length of `text` in bytes of UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

function isLonger(text: string, bytes: number): boolean {
  return text.length * UNIT_BYTES > bytes && byteLength(text) > bytes;
}

/** Longest quote of a path in an error message, in characters. */
const QUOTE = 200;

function refuse(path: string, detail: string): never {
  const shown = path.length > QUOTE ? `${path.slice(0, QUOTE)}…` : path;
  const printable = shown.toWellFormed().replaceAll(/\p{Cc}/gu, "�");
  throw new VfsError("invalid_path", `Cannot use path "${printable}": ${detail}`);
}
