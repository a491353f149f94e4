/** trap: a receiver of SNMP traps and informs (RFC 1157, RFC 3416). */
import { compact } from "../../../core/compact.ts";
import { LogWriteError } from "../../../core/errors.ts";
import type { Datagram } from "../../../core/net/transport.ts";
import { defineOptions, type OptionSet, port, tables } from "../../../core/options/spec.ts";
import {
  type Fault,
  type PluginState,
  type ProviderEnv,
  udpProvider,
} from "../../../core/plugin.ts";
import { Engine } from "./engine.ts";
import { FAULTS } from "./faults.ts";
import { snippets } from "./snippets.ts";
import { type ReadDatagram, readDatagram, toTrapEvent } from "./trap.ts";
import { readUser } from "./usm.ts";

/** Enterprise number 0 and a text (RFC 3411 section 5, SnmpEngineID). */
const ENGINE_ID = "8000000004" + "7374616e64696e";

const OPTIONS = defineOptions({
  port: port("UDP port of the trap receiver", 1162),
  users: tables(
    "Users of SNMP v3: a [[plugins.snmp.providers.trap.users]] table for each, with `name`, `auth` (md5, sha, sha224, sha256, sha384, sha512), `auth_password`, and for privacy `priv` (des, aes, aes192, aes256) and `priv_password`",
    {
      written: "[[plugins.snmp.providers.trap.users]]",
      read: readUser,
      secret: true,
      example: { name: "ada", auth: "sha", auth_password: "analytical", priv: "aes" },
    },
  ),
});

/** The provider for traps over UDP. */
export const trap = udpProvider<PluginState, typeof OPTIONS>({
  id: "trap",
  title: "SNMP traps",
  shortTitle: "SNMP",
  about:
    "Accepts traps of SNMP v1, v2c and v3, and answers informs; any community is accepted, and v3 uses the users in the settings",
  scheme: "snmp",
  options: OPTIONS,
  portOption: "port",
  snippets,
  faults: FAULTS,
  open(env) {
    const { users } = env.values;
    const engine = new Engine({ users, id: Uint8Array.fromHex(ENGINE_ID), now: env.ctx.now });
    return {
      // Returns a promise only if there is something to wait for or send, because the receiver awaits each one.
      receive(datagram) {
        const read = readDatagram(datagram.bytes, engine);
        const { trap, report } = read;
        if (trap === undefined) return report && datagram.reply(report);
        const asked = env.fault("capture", () => [toTrapEvent(trap, datagram)]);
        if (asked !== undefined) {
          return asked.then((fault) => receive(env, { datagram, read: { ...read, trap }, fault }));
        }
        const kept = env.settled(env.capture(toTrapEvent(trap, datagram)));
        if (kept !== undefined) return answerOnceKept(env, kept, { datagram, read });
        const answer = answerOf(read);
        if (answer !== undefined) return datagram.reply(answer);
      },
    };
  },
});

type TrapEnv = ProviderEnv<typeof OPTIONS, PluginState>;

/** Captures a datagram, or applies a fault to it. */
async function receive(
  env: TrapEnv,
  { datagram, read, fault }: {
    datagram: Datagram;
    read: ReadDatagram & Required<Pick<ReadDatagram, "trap">>;
    fault: Fault | undefined;
  },
): Promise<void> {
  if (fault === undefined || fault.after) {
    const event = toTrapEvent(read.trap, datagram);
    const meta = fault === undefined ? event.meta : { ...event.meta, fault: fault.name };
    const kept = env.settled(env.capture({ ...event, ...compact({ meta }) }));
    if (fault === undefined) {
      return await answerOnceKept(env, kept ?? Promise.resolve(), { datagram, read });
    }
    await kept;
  }
  const status = FAULTS.outcomes.find(({ id }) => id === fault.outcome)?.status;
  // A dropped datagram, and a trap, have no response.
  if (status === undefined || read.respond === undefined) return;
  await datagram.reply(read.respond(status));
}

/** The response to an inform, or the report on a refused message. */
function answerOf({ respond, report }: ReadDatagram): Uint8Array | undefined {
  return respond === undefined ? report : respond(0);
}

/** An inform that is not stored is not answered, so that its sender repeats it (RFC 3416 section 4.2.7). */
async function answerOnceKept(
  env: Pick<ProviderEnv<OptionSet, PluginState>, "reject">,
  kept: Promise<void>,
  { datagram, read }: { datagram: Datagram; read: ReadDatagram },
): Promise<void> {
  try {
    await kept;
  } catch (error) {
    if (!(error instanceof LogWriteError)) throw error;
    return env.reject({ peer: datagram.peer, raw: datagram.bytes, reason: error.message });
  }
  const answer = answerOf(read);
  if (answer !== undefined) await datagram.reply(answer);
}
