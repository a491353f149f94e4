/** ftp: a file server (RFC 959, 1123, 2389, 2428, 3659, 4217) whose files are the virtual tree. */
import { onDemand } from "../../../core/on_demand.ts";
import { tcpProvider } from "../../../core/plugin.ts";
import type { FilesState } from "../record.ts";
import { encodeReply, toReply } from "./codec/reply.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { snippets } from "./snippets.ts";

const serve = onDemand(() => import("./serve.ts"))("serve");

/** The FTP provider. */
export const ftp = tcpProvider<FilesState, typeof OPTIONS>({
  id: "ftp",
  title: "FTP",
  about: "A file server that accepts every upload into the virtual tree",
  scheme: "ftp",
  options: OPTIONS,
  portOption: "port",
  maxConnections: (values) => values.max_connections,
  busyReply: () => encodeReply(toReply(421, "Too many connections, try again later")),
  logsIn: true,
  httpReply: encodeReply(toReply(421, "This is FTP, not HTTP")),
  snippets: (at, values) => snippets(at, values),
  faults: FAULTS,
  open(env) {
    return { serve: async (wire, { place }) => await serve(wire, { env, place }) };
  },
});
