/** Snippets that send traps; any community works. */
import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** A trap or inform of each version, with several senders. */
export function snippets({ hostname, port }: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Send a v2c trap",
      lang: "sh",
      code: `snmptrap -v2c -c public ${hostname}:${port} '' 1.3.6.1.6.3.1.1.5.3 \\
  1.3.6.1.2.1.2.2.1.1.2 i 2 1.3.6.1.2.1.2.2.1.2.2 s eth1`,
    },
    {
      title: "Send an inform and wait for the response",
      lang: "sh",
      code: `snmpinform -v2c -c public ${hostname}:${port} '' 1.3.6.1.6.3.1.1.5.4 \\
  1.3.6.1.2.1.2.2.1.1.2 i 2`,
    },
    {
      title: "Send a v3 inform; any user without authentication, others from the settings",
      lang: "sh",
      code: `snmpinform -v3 -l noAuthNoPriv -u ada ${hostname}:${port} '' 1.3.6.1.6.3.1.1.5.4`,
    },
    {
      title: "Send a v1 trap",
      lang: "sh",
      code: `snmptrap -v1 -c public ${hostname}:${port} 1.3.6.1.4.1.8072.3.2.10 127.0.0.1 6 17 '' \\
  1.3.6.1.4.1.8072.9999.1 s 'disk full'`,
    },
    {
      title: "Node.js (net-snmp)",
      lang: "js",
      code: `import snmp from "net-snmp";

const session = snmp.createSession("${hostname}", "public", {
  trapPort: ${port},
  version: snmp.Version2c,
});
session.inform(snmp.TrapType.LinkDown, (error) => {
  console.log(error ?? "confirmed");
  session.close();
});`,
    },
  ];
}
