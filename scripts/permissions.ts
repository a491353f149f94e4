/**
 * What the program may do: everything it is for, and nothing that runs other programs or loads foreign code. It writes
 * where `--persist` and `--tls-dir` say, and its certificates in the user's configuration folder.
 */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--allow-env=SERVICE_*,HOME,USERPROFILE,APPDATA,XDG_CONFIG_HOME",
  "--no-prompt",
];
