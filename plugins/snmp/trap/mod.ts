/** trap: a receiver of SNMP traps and informs (RFC 1157, RFC 3416). */
import { compact } from "../../../core/compact.ts";
import { LogWriteError } from "../../../core/errors.ts";
import type { Datagram } from "../../../core/net/transport.ts";
import { defineOptions, type OptionSet, port } from "../../../core/options/spec.ts";
import {
  type Fault,
  type PluginState,
  type ProviderEnv,
  udpProvider,
} from "../../../core/plugin.ts";
import { FAULTS } from "./faults.ts";
import { snippets } from "./snippets.ts";
import { type ReadDatagram, readDatagram, toTrapEvent } from "./trap.ts";

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
  faults: FAULTS,
  open: (env) => ({
    // A promise only if there is something to wait for or to send: the receiver waits for each one.
    receive(datagram) {
      const read = readDatagram(datagram.bytes);
      const { trap, response } = read;
      const asked = env.fault("capture", () => [toTrapEvent(trap, datagram)]);
      if (asked !== undefined) {
        return asked.then((fault) => receive(env, { datagram, read, fault }));
      }
      const kept = env.settled(env.capture(toTrapEvent(trap, datagram)));
      if (kept !== undefined) return answerOnceKept(env, kept, { datagram, response });
      if (response !== undefined) return datagram.reply(response);
    },
  }),
});

type TrapEnv = ProviderEnv<typeof OPTIONS, PluginState>;

/** Captures a datagram, or does with it what a fault wants. */
async function receive(
  env: TrapEnv,
  { datagram, read: { trap, response, statusAt }, fault }: {
    datagram: Datagram;
    read: ReadDatagram;
    fault: Fault | undefined;
  },
): Promise<void> {
  if (fault === undefined || fault.after) {
    const event = toTrapEvent(trap, datagram);
    const meta = fault === undefined ? event.meta : { ...event.meta, fault: fault.name };
    const kept = env.settled(env.capture({ ...event, ...compact({ meta }) }));
    if (fault === undefined) {
      return await answerOnceKept(env, kept ?? Promise.resolve(), { datagram, response });
    }
    await kept;
  }
  const status = FAULTS.outcomes.find(({ id }) => id === fault.outcome)?.status;
  // One that is dropped, and a trap, have no response.
  if (status === undefined || response === undefined || statusAt === undefined) return;
  response[statusAt] = status;
  await datagram.reply(response);
}

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
