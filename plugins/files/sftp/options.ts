import {
  boolean,
  defineOptions,
  integer,
  optionalPath,
  optionalText,
  port,
  seconds,
  text,
} from "../../../core/options/spec.ts";

const FILE = { only: "file" } as const;

/** Settings of the SFTP listener. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the SSH listener", 2222),
  host_key_path: optionalPath(
    "SSH host key file, generated at the first start; by default in your configuration folder",
    { flag: "sftp-host-key", access: "file" },
  ),
  authorized_keys: optionalPath("File of accepted public keys; by default any key is accepted", {
    access: "read",
  }),
  username: optionalText("User name that clients must use; by default any is accepted"),
  password: optionalText("Password that clients must use; by default any is accepted", {
    secret: true,
  }),
  server_version: text("Identification string of the server", "SSH-2.0-standin", FILE),
  handshake_timeout: seconds("Time allowed for the login, in seconds", 30, FILE),
  idle_timeout: seconds("Maximum silence of a client, in seconds", 600, FILE),
  max_connections: integer("Maximum number of simultaneous connections", 64, { min: 1, ...FILE }),
  max_auth_tries: integer("Failed logins before the connection is closed", 6, {
    min: 1,
    ...FILE,
  }),
  offer_none: boolean("Accept clients without credentials, if none are required", true, FILE),
});
