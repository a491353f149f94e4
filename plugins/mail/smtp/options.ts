import {
  boolean,
  bytes,
  defineOptions,
  integer,
  optionalPort,
  optionalText,
  port,
  seconds,
  text,
} from "../../../core/options/spec.ts";

const FILE = { only: "file" } as const;

/** Settings of the listener. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the SMTP listener", 1025),
  username: optionalText("User name that AUTH must use; by default any is accepted"),
  password: optionalText("Password that AUTH must use; by default any is accepted", {
    secret: true,
  }),
  domain: text("Name of the server in its greeting", "standin", FILE),
  max_message_bytes: bytes("Maximum size of a message", 26_214_400, FILE),
  max_recipients: integer("Maximum number of recipients of a message", 100, { min: 1, ...FILE }),
  max_line_length: integer("Maximum length of a command line in octets", 65_536, {
    min: 512,
    max: 1_048_576,
    ...FILE,
  }),
  max_connections: integer("Maximum number of simultaneous connections", 256, { min: 1, ...FILE }),
  read_timeout: seconds("Maximum wait for the client to send, in seconds", 60, FILE),
  write_timeout: seconds("Maximum wait for the client to accept a reply, in seconds", 60, FILE),
  starttls: boolean("Offer STARTTLS", false, FILE),
  tls_port: optionalPort("TCP port with TLS from the first byte; off by default", FILE),
});
