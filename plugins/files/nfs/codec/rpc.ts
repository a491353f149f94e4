/**
 * Messages of ONC RPC, version 2 (RFC 5531 section 9):
 *
 *   call    xid 0 rpcvers prog vers proc cred verf arguments
 *   reply   xid 1 0 verf stat ...     accepted
 *           xid 1 1 stat ...          denied
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { markOf } from "./record.ts";
import { XdrReader, XdrWriter } from "./xdr.ts";

const [CALL, REPLY] = [0, 1] as const;
const [ACCEPTED, DENIED] = [0, 1] as const;
const RPC_VERSION = 2;
const [RPC_MISMATCH, AUTH_ERROR] = [0, 1] as const;
const [AUTH_NONE, AUTH_SYS] = [0, 1] as const;
/** opaque_auth (section 8.2). */
const MAX_AUTH_BYTES = 400;
/** authsys_parms (appendix A). */
const MAX_MACHINE_BYTES = 255;
const MAX_GIDS = 16;
const MARK_BYTES = 4;

/** Why an accepted call is not carried out (accept_stat). */
export type Fault =
  | { readonly type: "program unavailable" }
  | { readonly type: "program mismatch"; readonly low: number; readonly high: number }
  | { readonly type: "procedure unavailable" }
  | { readonly type: "garbage arguments" }
  | { readonly type: "system error" };

/** auth_stat of denied calls. */
export type AuthRefusal = "bad credential" | "rejected credential";

const FAULTS: Readonly<Record<Fault["type"], number>> = {
  "program unavailable": 1,
  "program mismatch": 2,
  "procedure unavailable": 3,
  "garbage arguments": 4,
  "system error": 5,
};
const AUTH_REFUSALS: Readonly<Record<AuthRefusal, number>> = {
  "bad credential": 1,
  "rejected credential": 2,
};

/** The caller, by its own account (AUTH_NONE and AUTH_SYS). */
export type Credential =
  | { readonly flavor: "none" }
  | {
    readonly flavor: "unix";
    /** Hostile text. */
    readonly machine: string;
    readonly uid: number;
    readonly gid: number;
    readonly gids: readonly number[];
  };

/** A call up to its arguments. */
export interface Call {
  readonly xid: number;
  readonly program: number;
  readonly version: number;
  readonly procedure: number;
  readonly credential: Credential;
  /** Body of the credential, a copy: two programs on one machine seldom send the same one. */
  readonly credentialBody: Uint8Array;
  readonly arguments: XdrReader;
}

/** A record to send, in chunks. */
export type Reply = readonly Uint8Array[];

/** A parsed record: a call, or the reply to an invalid one. */
export type Received =
  | { readonly type: "call"; readonly call: Call }
  | { readonly type: "refused"; readonly reason: string; readonly reply: Reply };

const decoder = new TextDecoder();

/**
 * Parses a record. Throws `WireError` for one that is not a call, which cannot be answered. Does not parse a credential
 * that equals the one of `before`.
 */
export function decodeCall(record: Uint8Array, before?: Call): Received {
  const reader = new XdrReader(record);
  const xid = reader.u32();
  if (reader.u32() !== CALL) {
    throw new WireError("syntax", "Cannot handle a message: it is not a call");
  }
  try {
    if (reader.u32() !== RPC_VERSION) {
      return { type: "refused", reason: "The RPC version is not 2", reply: versionMismatch(xid) };
    }
    const program = reader.u32();
    const version = reader.u32();
    const procedure = reader.u32();
    const flavor = reader.u32();
    const isSame = before !== undefined && flavor === AUTH_SYS &&
      before.credential.flavor === "unix" && reader.passOpaque(before.credentialBody);
    const body = isSame ? before.credentialBody : reader.opaque(MAX_AUTH_BYTES).slice();
    reader.u32();
    reader.skipOpaque(MAX_AUTH_BYTES);
    const credential = isSame ? before.credential : decodeCredential(flavor, body);
    if (typeof credential === "string") {
      const reason =
        `The credential of flavor ${flavor} is not supported: use AUTH_NONE or AUTH_SYS`;
      return { type: "refused", reason, reply: authError(xid, credential) };
    }
    return {
      type: "call",
      call: {
        xid,
        program,
        version,
        procedure,
        credential,
        credentialBody: body,
        arguments: reader,
      },
    };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const reply = encodeFault(xid, { type: "garbage arguments" });
    return { type: "refused", reason: error.message, reply };
  }
}

function decodeCredential(flavor: number, body: Uint8Array): Credential | AuthRefusal {
  if (flavor === AUTH_NONE) return { flavor: "none" };
  if (flavor !== AUTH_SYS) return "rejected credential";
  try {
    const reader = new XdrReader(body);
    reader.u32();
    const machine = decoder.decode(reader.opaque(MAX_MACHINE_BYTES));
    const [uid, gid] = [reader.u32(), reader.u32()];
    const count = reader.choice(MAX_GIDS);
    const gids = Array.from({ length: count }, () => reader.u32());
    return { flavor: "unix", machine, uid, gid, gids };
  } catch (error) {
    if (error instanceof WireError) return "bad credential";
    throw error;
  }
}

/** Starts the reply to a call that is carried out, in a separate writer or at the start of one; the results follow. */
export function beginReply(xid: number, out = new XdrWriter()): XdrWriter {
  return begin(xid, out).u32(ACCEPTED).u32(AUTH_NONE).u32(0).u32(0);
}

/** Ends the reply of `beginReply`: the record with its mark, in one or more chunks, the first a view of the writer. */
export function endReply(reply: XdrWriter): Reply {
  const { tail } = reply;
  const length = tail.reduce((sum, part) => sum + part.length, reply.length - MARK_BYTES);
  const head = reply.replaceU32(0, markOf(length)).take();
  return tail.length === 0 ? [head] : [head, ...tail];
}

/** Returns the reply to a call that is accepted, but not carried out. */
export function encodeFault(xid: number, fault: Fault): Reply {
  const reply = begin(xid).u32(ACCEPTED).u32(AUTH_NONE).u32(0).u32(FAULTS[fault.type]);
  if (fault.type === "program mismatch") reply.u32(fault.low).u32(fault.high);
  return endReply(reply);
}

function versionMismatch(xid: number): Reply {
  const reply = begin(xid).u32(DENIED).u32(RPC_MISMATCH).u32(RPC_VERSION).u32(RPC_VERSION);
  return endReply(reply);
}

function authError(xid: number, refusal: AuthRefusal): Reply {
  return endReply(begin(xid).u32(DENIED).u32(AUTH_ERROR).u32(AUTH_REFUSALS[refusal]));
}

/** Writes room for the mark, and the beginning of every reply. */
function begin(xid: number, out = new XdrWriter(64)): XdrWriter {
  out.cut(0);
  return out.u32(0).u32(xid).u32(REPLY);
}
