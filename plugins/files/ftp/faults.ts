/** Faults of an FTP server: replies that RFC 959 section 5.4 lists for each command. */
import { isOfNetworks } from "../../../core/net/network_fault.ts";
import type { Fault, FaultOutcome, FaultSubject, ProviderFaults } from "../../../core/plugin.ts";
import { type Reply, toReply } from "./codec/reply.ts";

/** Phases in which a session can fail. */
export type FtpPhase = "capture" | "transfer" | "read" | "login" | "connect";

/** The known parts of a command. */
export interface FtpAsk {
  /** Absent before the greeting. */
  readonly operation?: string;
  readonly argument?: string;
  /** The resolved path, if the argument is one. */
  readonly path?: string | undefined;
  readonly user?: string | undefined;
}

interface FtpOutcome extends FaultOutcome {
  readonly text: string;
  code(about: { phase: FtpPhase; operation: string }): number;
}

const REPLIES = "https://www.rfc-editor.org/rfc/rfc959#section-5.4";

/** Phases and outcomes of a session. */
export const FAULTS: ProviderFaults<FtpOutcome> = {
  phases: {
    capture: "STOR, APPE, STOU, MKD, RMD, DELE and RNTO, before anything changes: " +
      "payload has operation, argument, path and user",
    transfer: "The data connection of a transfer or listing, once it is open: payload as above; " +
      "network faults affect this connection",
    read: "RETR, LIST, NLST, MLSD, MLST, SIZE, MDTM, CWD, CDUP and RNFR: payload as above",
    login: "USER and PASS: payload has operation and user",
    connect: "A new connection, before the greeting: raw.peer_addr is the client's address",
  },
  outcomes: [
    {
      id: "no_space",
      about: "No space: 452 to STOR, APPE and STOU, 552 during the transfer, 550 to other commands",
      source: REPLIES,
      phases: ["capture", "transfer"],
      text: "Insufficient storage space in system",
      code: ({ phase, operation }) =>
        phase === "transfer" ? 552 : /^(STO|APPE)/.test(operation) ? 452 : 550,
    },
    {
      id: "permission",
      about: "550: permission denied",
      source: REPLIES,
      phases: ["capture", "read"],
      text: "Permission denied",
      code: () => 550,
    },
    {
      id: "io_error",
      about: "451: a local error in processing",
      source: REPLIES,
      phases: ["capture", "read", "transfer"],
      text: "Requested action aborted: local error in processing",
      code: () => 451,
    },
    {
      id: "unavailable",
      about: "421, and the control connection is closed",
      source: REPLIES,
      text: "Service not available, closing control connection",
      code: () => 421,
    },
    {
      id: "data_aborted",
      about: "426: the data connection is closed, and nothing is stored",
      source: REPLIES,
      phases: ["transfer"],
      text: "Connection closed; transfer aborted",
      code: () => 426,
    },
  ],
};

const PHASES: Readonly<Record<string, FtpPhase>> = Object.fromEntries([
  ..."STOR APPE STOU MKD XMKD RMD XRMD DELE RNTO".split(" ").map((verb) => [verb, "capture"]),
  ..."RETR LIST NLST MLSD MLST SIZE MDTM CWD XCWD CDUP XCUP RNFR".split(" ")
    .map((verb) => [verb, "read"]),
  ["USER", "login"],
  ["PASS", "login"],
]);

/** The phase of a command; `undefined` for a command without faults. */
export function phaseOf(verb: string): FtpPhase | undefined {
  return PHASES[verb];
}

/** Returns the subject of a command, which conditions of rules match. */
export function toSubject(payload: FtpAsk, peer: string): FaultSubject {
  const { operation = "", argument = "", path, user } = payload;
  // A password is neither matched nor recorded.
  const shown = operation === "PASS" ? { ...payload, argument: "" } : payload;
  const line = shown.argument ? `${operation} ${argument}` : operation;
  return {
    payload: shown,
    raw: {
      transport: "ftp",
      text: true,
      body: new TextEncoder().encode(line),
      peer_addr: peer,
    },
    summary_parts: {
      ...(user === undefined ? {} : { from: user }),
      to: path === undefined ? [] : [path],
    },
  };
}

/** Returns the reply of a fault; `undefined` for network faults. */
export function replyOf(
  fault: Fault,
  about: { phase: FtpPhase; operation: string },
): Reply | undefined {
  const own = FAULTS.outcomes.find(({ id }) => id === fault.outcome);
  if (own === undefined || isOfNetworks(fault)) return undefined;
  return { ...toReply(own.code(about), own.text), fault: true };
}
