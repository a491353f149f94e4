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
    "File of the SSH host key, made at the first start; in the user's configuration folder while unset",
    { flag: "sftp-host-key", access: "file" },
  ),
  authorized_keys: optionalPath("File of the public keys that are admitted; any is while unset", {
    access: "read",
  }),
  username: optionalText("User name that clients must give; any is accepted while unset"),
  password: optionalText("Password that clients must give; any is accepted while unset", {
    secret: true,
  }),
  server_version: text("What the server calls itself", "SSH-2.0-standin", FILE),
  handshake_timeout: seconds("Longest time until a client is logged in, in seconds", 30, FILE),
  idle_timeout: seconds("Longest silence of a client, in seconds", 600, FILE),
  max_connections: integer("Most simultaneous connections", 64, { min: 1, ...FILE }),
  max_auth_tries: integer("Failed logins after which a client is turned away", 6, {
    min: 1,
    ...FILE,
  }),
  offer_none: boolean("Admit clients that show nothing, where nothing is asked for", true, FILE),
});
