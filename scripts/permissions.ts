import { VARIABLES } from "../core/cli/permissions.ts";

const ENVIRONMENT = `--allow-env=${VARIABLES.join(",")}`;

/** Folders for keys and certificates on all systems; an unset variable leaves a path that does not exist. */
const CONFIG_FOLDERS = [
  "$XDG_CONFIG_HOME/standin",
  "$HOME/.config/standin",
  "$HOME/Library/Application Support/standin",
  "$APPDATA/standin",
];

/**
 * The root, which the program drops at start if the settings name no folder, and the folders it
 * keeps.
 */
const FOLDERS = ["/", ...CONFIG_FOLDERS].join(",");

/** Permissions of the tasks that serve: the network and the files above, but no other programs or libraries. */
export const SERVE_PERMISSIONS: readonly string[] = [
  "--allow-net",
  `--allow-read=${FOLDERS}`,
  `--allow-write=${FOLDERS}`,
  ENVIRONMENT,
  "--no-prompt",
];

/**
 * Permissions of the other commands and of compiled programs, which accept any file. They run no
 * other programs and load no foreign code.
 */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-net",
  "--allow-read",
  "--allow-write",
  ENVIRONMENT,
  "--no-prompt",
];

/** Expands these variables in the permissions, as the shell of `deno task` does. */
export function expanded(
  permissions: readonly string[],
  env: (name: string) => string | undefined,
): readonly string[] {
  return permissions.map((flag) => flag.replaceAll(/\$(\w+)/g, (_, name) => env(name) ?? ""));
}
