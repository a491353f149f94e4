import { defineOptions, integer, port, seconds } from "../../../core/options/spec.ts";

const FILE = { only: "file" } as const;

/** Settings of the NFS listener. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the NFS listener, also for MOUNT", 2049),
  settle_ms: integer(
    "Time without a change after which a file counts as uploaded, in milliseconds",
    1000,
    { min: 1, max: 60_000, ...FILE },
  ),
  handle_cache: integer(
    "Maximum number of files being written; beyond it the oldest count as uploaded",
    16_384,
    { min: 1, max: 65_536, ...FILE },
  ),
  abandon_timeout: seconds(
    "Time without a connection after which uncommitted data of a client is dropped, in seconds",
    60,
    FILE,
  ),
  idle_timeout: seconds("Maximum wait for a call, in seconds", 600, FILE),
  max_connections: integer("Maximum number of simultaneous connections", 256, { min: 1, ...FILE }),
});
