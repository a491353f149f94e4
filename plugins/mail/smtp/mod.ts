/**
 * A mail server that stores every message (RFC 5321), with the extensions that submission clients
 * use.
 */
import { onDemand } from "../../../core/on_demand.ts";
import { tcpProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { encodeReply, toReply } from "./codec/reply.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { snippets } from "./snippets.ts";

const serve = onDemand(() => import("./serve.ts"))("serve");

/** The provider for SMTP. */
export const smtp = tcpProvider<MailState, typeof OPTIONS>({
  id: "smtp",
  title: "SMTP",
  about: "A mail server that accepts every message for every recipient and delivers none",
  scheme: "smtp",
  options: OPTIONS,
  portOption: "port",
  tlsPortOption: "tls_port",
  maxConnections: (values) => values.max_connections,
  busyReply: () => encodeReply(toReply(421, "4.7.0", "Too many connections, try again later")),
  httpReply: encodeReply(toReply(421, "4.7.0", "This is SMTP, not HTTP")),
  snippets: (at, values) => snippets(at, values),
  faults: FAULTS,
  callbacks: {
    webhook:
      "Where notifications about emails go: an SMTP server, such as smtp://localhost:2525, or a webhook",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
  open(env) {
    return { serve: async (wire, { tls }) => await serve(wire, { env, tls }) };
  },
});
