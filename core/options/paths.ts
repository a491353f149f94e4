import { isAbsolute } from "@std/path/is-absolute";
import { join } from "@std/path/join";

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/** Home folder of the user, where the environment names it. */
export function homeFolder(env: ReadVariable): string | undefined {
  return env("HOME") || env("USERPROFILE") || undefined;
}

/**
 * Folder for this program's own keys and certificates: `standin` in the user's configuration folder. `undefined` when
 * the environment does not tell where that is.
 */
export function userConfigFolder(env: ReadVariable, os: string): string | undefined {
  const home = homeFolder(env);
  const parent = os === "windows"
    ? env("APPDATA") || undefined
    : os === "darwin"
    ? home && join(home, "Library", "Application Support")
    // An own XDG folder that is not absolute is to be ignored (XDG Base Directory Specification).
    : absolute(env("XDG_CONFIG_HOME")) ?? (home && join(home, ".config"));
  return parent === undefined ? undefined : join(parent, "standin");
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/**
 * A path as a person wrote it: `~` is the home folder, a relative one starts in `folder` (the working directory unless
 * given). Throws `TypeError` when `~` cannot be expanded.
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
