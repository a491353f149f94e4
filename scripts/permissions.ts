import { VARIABLES } from "../core/cli/permissions.ts";

const ENVIRONMENT = `--allow-env=${VARIABLES.join(",")}`;

/** The folder for keys and certificates, wherever the system puts it; unset variables leave paths that are not there. */
const CONFIG_FOLDERS = [
  "$XDG_CONFIG_HOME/standin",
  "$HOME/.config/standin",
  "$HOME/Library/Application Support/standin",
  "$APPDATA/standin",
];

/** The root, which the program gives up at its start where the settings name no folder, and what it goes on to use. */
const FOLDERS = ["/", ...CONFIG_FOLDERS].join(",");

/** What the tasks grant that serve: the network, the files above, and no other programs or libraries. */
export const SERVE_PERMISSIONS: readonly string[] = [
  "--allow-net",
  `--allow-read=${FOLDERS}`,
  `--allow-write=${FOLDERS}`,
  ENVIRONMENT,
  "--no-prompt",
];

/**
 * What the other commands and compiled programs may do: they take any file that they are given. Nothing here runs other
 * programs or loads foreign code.
 */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-net",
  "--allow-read",
  "--allow-write",
  ENVIRONMENT,
  "--no-prompt",
];

/** The permissions as the shell of `deno task` hands them on, with these variables. */
export function expanded(
  permissions: readonly string[],
  env: (name: string) => string | undefined,
): readonly string[] {
  return permissions.map((flag) => flag.replaceAll(/\$(\w+)/g, (_, name) => env(name) ?? ""));
}
