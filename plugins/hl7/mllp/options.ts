import { bytes, defineOptions, integer, port, seconds } from "../../../core/options/spec.ts";

const FILE = { only: "file" } as const;

/** Settings of the listener. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the MLLP listener", 2575),
  max_message_bytes: bytes("Maximum size of a message", 10_485_760, FILE),
  max_connections: integer("Maximum number of simultaneous connections", 512, { min: 1, ...FILE }),
  read_timeout: seconds("Maximum pause within a message, in seconds", 60, FILE),
  idle_timeout: seconds("Maximum wait between two messages, in seconds", 600, FILE),
  write_timeout: seconds("Maximum wait for the peer to accept a response, in seconds", 10, FILE),
});
