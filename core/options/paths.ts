import { isAbsolute } from "@std/path/is-absolute";
import { join } from "@std/path/join";

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/** Returns the user's home folder, if the environment names it. */
export function homeFolder(env: ReadVariable): string | undefined {
  return env("HOME") || env("USERPROFILE") || undefined;
}

/**
 * Returns the folder for this program's keys and certificates: `standin` in the user's configuration folder. `undefined`
 * if the environment does not name it.
 */
export function userConfigFolder(env: ReadVariable, os: string): string | undefined {
  const home = homeFolder(env);
  const parent = os === "windows"
    ? env("APPDATA") || undefined
    : os === "darwin"
    ? home && join(home, "Library", "Application Support")
    // A relative XDG folder must be ignored (XDG Base Directory Specification).
    : absolute(env("XDG_CONFIG_HOME")) ?? (home && join(home, ".config"));
  return parent === undefined ? undefined : join(parent, "standin");
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/**
 * Resolves a path: `~` is the home folder, a relative one starts in `folder` (the working directory by default). Throws
 * `TypeError` if `~` cannot be expanded.
 */
export function resolvePath(
  path: string,
  options: { folder?: string | undefined; home?: string | undefined } = {},
): string {
  if (path === "~" || path.startsWith("~/") || path.startsWith("~\\")) {
    if (options.home === undefined) {
      throw new TypeError("the home folder is not known; expected a path without ~");
    }
    return join(options.home, path.slice(1));
  }
  if (options.folder === undefined || isAbsolute(path)) return path;
  return join(options.folder, path);
}
