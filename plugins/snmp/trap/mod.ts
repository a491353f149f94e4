/** trap: a receiver of SNMP traps and informs (RFC 1157, RFC 3416). */
import { LogWriteError } from "../../../core/errors.ts";
import type { Datagram } from "../../../core/net/transport.ts";
import { defineOptions, type OptionSet, port } from "../../../core/options/spec.ts";
import { type PluginState, type ProviderEnv, udpProvider } from "../../../core/plugin.ts";
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
  open: (env) => ({
    // A promise only if there is something to wait for or to send: the receiver waits for each one.
    receive(datagram) {
      const { trap, response } = readDatagram(datagram.bytes);
      const kept = env.settled(env.capture(toTrapEvent(trap, datagram)));
      if (kept !== undefined) return answerOnceKept(env, kept, { datagram, response });
      if (response !== undefined) return datagram.reply(response);
    },
  }),
});

/** An inform that is not kept is not answered, so that its sender repeats it (RFC 3416 section 4.2.7). */
async function answerOnceKept(
  env: Pick<ProviderEnv<OptionSet, PluginState>, "reject">,
  kept: Promise<void>,
  { datagram, response }: { datagram: Datagram; response: Uint8Array | undefined },
): Promise<void> {
  try {
    await kept;
  } catch (error) {
    if (!(error instanceof LogWriteError)) throw error;
    return env.reject({ peer: datagram.peer, raw: datagram.bytes, reason: error.message });
  }
  if (response !== undefined) await datagram.reply(response);
}
