/** mllp: takes HL7 v2 messages over the minimal lower layer protocol, and acknowledges them. */
import { onDemand } from "../../../core/on_demand.ts";
import { tcpProvider } from "../../../core/plugin.ts";
import type { Hl7State } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { snippets } from "./snippets.ts";

const serve = onDemand(() => import("./serve.ts"))("serve");

/** The provider that takes HL7 v2 messages. */
export const mllp = tcpProvider<Hl7State, typeof OPTIONS>({
  id: "mllp",
  title: "HL7 v2 over MLLP",
  shortTitle: "MLLP",
  aliases: ["hl7"],
  about:
    "Accepts every HL7 v2 message and acknowledges it as its sender requests; none is validated",
  scheme: "mllp",
  options: OPTIONS,
  portOption: "port",
  maxConnections: (values) => values.max_connections,
  snippets,
  faults: FAULTS,
  callbacks: {
    inbound: "Application that accepts HL7 messages, such as mllp://localhost:2576",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
  open(env) {
    let connections = 0;
    return {
      async serve(wire) {
        const connection = ++connections;
        await serve(wire, { env, connection });
      },
    };
  },
});
