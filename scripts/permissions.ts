/** Variables that the program may read: its own settings, where the user's folders are, and what `doctor` looks at. */
const VARIABLES: readonly string[] = [
  "SERVICE_*",
  ...["HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME"],
  ...["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"],
  ...["CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "TWILIO_CA_BUNDLE", "DENO_CERT"],
  ...["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"],
];

/**
 * What the program may do: everything it is for, and nothing that runs other programs or loads foreign code. It writes
 * where `--persist` and `--tls-dir` say, and its certificates in the user's configuration folder.
 */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-net",
  "--allow-read",
  "--allow-write",
  `--allow-env=${VARIABLES.join(",")}`,
  "--no-prompt",
];
