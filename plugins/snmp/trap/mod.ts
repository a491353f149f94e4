/** trap: a receiver of SNMP traps and informs (RFC 1157, RFC 3416). */
import { defineOptions, port } from "../../../core/options/spec.ts";
import { type PluginState, udpProvider } from "../../../core/plugin.ts";
import { snippets } from "./snippets.ts";
import { readDatagram, toTrapEvent } from "./trap.ts";

const OPTIONS = defineOptions({
  port: port("UDP port of the trap receiver", 1162),
});

/** The provider that takes traps over UDP. */
export const trap = udpProvider<PluginState, typeof OPTIONS>({
  id: "trap",
  title: "SNMP traps",
  shortTitle: "SNMP",
  about: "Takes traps of SNMP v1 and v2c, and answers informs; any community is accepted",
  scheme: "snmp",
  options: OPTIONS,
  portOption: "port",
  snippets,
  open: ({ capture }) => ({
    // A promise only where there is something to send: the receiver waits for every one it gets.
    receive(datagram) {
      const { trap, response } = readDatagram(datagram.bytes);
      capture(toTrapEvent(trap, datagram));
      if (response !== undefined) return datagram.reply(response);
    },
  }),
});
