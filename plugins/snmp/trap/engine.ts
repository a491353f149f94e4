/**
 * The engine of a receiver of version 3 (RFC 3414 section 3.2): it verifies and decrypts messages,
 * reports its id and time to senders of informs, and answers with their security level.
 */
import { compact } from "../../../core/compact.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import {
  AUTH,
  decodeScoped,
  decodeV3,
  encodeReport,
  encodeV3,
  type MessageV3,
  PRIV,
  REPORTABLE,
} from "./codec/message_v3.ts";
import type { Notification } from "./codec/message.ts";
import { SenderClocks, WINDOW_SECONDS } from "./clocks.ts";
import { authenticate, authenticationBytes, decrypt, encrypt, Users, type UsmUser } from "./usm.ts";

/** Counters of RFC 3414 section 5. */
const STATS = {
  unsupportedSecLevels: "1.3.6.1.6.3.15.1.1.1.0",
  notInTimeWindows: "1.3.6.1.6.3.15.1.1.2.0",
  unknownUserNames: "1.3.6.1.6.3.15.1.1.3.0",
  unknownEngineIDs: "1.3.6.1.6.3.15.1.1.4.0",
  wrongDigests: "1.3.6.1.6.3.15.1.1.5.0",
  decryptionErrors: "1.3.6.1.6.3.15.1.1.6.0",
} as const;
type Stat = keyof typeof STATS;

/** Security of a message, for its event. */
export interface SecurityFacts {
  readonly user: string;
  readonly level: "noAuthNoPriv" | "authNoPriv" | "authPriv";
  readonly engine_id: string;
  readonly context?: string;
  /** Why a receiver that keeps to the time window would drop it. */
  readonly late?: string;
}

/** A message after processing by the engine. */
export type Taken =
  /** A discovery request, or a message that its sender repeats after the report; not a notification. */
  | { readonly kind: "report"; readonly report?: Uint8Array }
  | {
    readonly kind: "refused";
    readonly security: SecurityFacts;
    readonly reason: string;
    readonly report?: Uint8Array;
  }
  | {
    readonly kind: "notification";
    readonly security: SecurityFacts;
    readonly notification: Notification;
    /** The response to an inform, with this error status. */
    readonly respond?: (status: number) => Uint8Array;
  };

/** One per receiver. */
export class Engine {
  readonly #users: Users;
  readonly #clocks: SenderClocks;
  readonly #id: Uint8Array;
  readonly #now: () => Date;
  readonly #startMs: number;
  readonly #counts = new Map<Stat, number>();
  #salt = 0;

  constructor(
    { users, id, now }: {
      readonly users: readonly UsmUser[];
      readonly id: Uint8Array;
      now(): Date;
    },
  ) {
    this.#users = new Users(users);
    this.#clocks = new SenderClocks(now);
    this.#id = id;
    this.#now = now;
    this.#startMs = now().getTime();
  }

  /** Takes a datagram of version 3. Throws `WireError` for one that is malformed. */
  take(datagram: Uint8Array): Taken {
    const message = decodeV3(datagram);
    const { engineId, flags } = message;
    const isReportable = (flags & REPORTABLE) !== 0;
    // The sender's engine is authoritative for a trap, this one for any other message.
    if (isReportable && !isSame(engineId, this.#id)) {
      return { kind: "report", report: this.#report(message, "unknownEngineIDs") };
    }
    return (flags & AUTH) === 0
      ? this.#read(message, message.data)
      : this.#verify(datagram, message);
  }

  #verify(datagram: Uint8Array, message: MessageV3): Taken {
    const user = this.#users.get(message.user);
    if (user === undefined) {
      const reason = `Cannot verify the message: unknown user ${JSON.stringify(message.user)}; ` +
        "add it as [[plugins.snmp.providers.trap.users]]";
      return this.#refuse(message, { reason, stat: "unknownUserNames" });
    }
    const keys = this.#users.keysOf(user, message.engineId);
    const blank = datagram.slice();
    const { authenticationAt: at, authentication } = message;
    blank.fill(0, at, at + authentication.length);
    if (!isSame(authentication, authenticate(blank, user, keys))) {
      const reason = `Cannot verify the message: not authenticated by ${user.auth} with the ` +
        `password of user ${JSON.stringify(user.name)}`;
      return this.#refuse(message, { reason, stat: "wrongDigests" });
    }
    const isTrap = (message.flags & REPORTABLE) === 0;
    if (!isTrap && !this.#isTimely(message)) {
      return { kind: "report", report: this.#report(message, "notInTimeWindows", user) };
    }
    // Captured anyway: senders that always start with the same time would otherwise disappear after a while.
    const late = isTrap ? this.#clocks.take(message) : undefined;
    const from = { user, late };
    if ((message.flags & PRIV) === 0) return this.#read(message, message.data, from);
    if (keys.priv === undefined) {
      const reason = `Cannot decrypt the message: user ${JSON.stringify(user.name)} has no priv`;
      return this.#refuse(message, { reason, stat: "unsupportedSecLevels" });
    }
    const about = { boots: message.boots, time: message.time, salt: message.privacy };
    try {
      const data = decrypt(message.data, user, { key: keys.priv, about });
      return this.#read(message, data, from);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const reason = `Cannot read the message, decrypted by ${user.priv} with the password of ` +
        `user ${JSON.stringify(user.name)}: ${error.message}`;
      return this.#refuse(message, { reason, stat: "decryptionErrors" });
    }
  }

  #read(
    message: MessageV3,
    data: Uint8Array,
    { user, late }: { user?: UsmUser; late?: string | undefined } = {},
  ): Taken {
    const { context, notification } = decodeScoped(data);
    const { response, statusAt } = notification;
    const security = {
      ...factsOf(message),
      ...(context !== "" && { context }),
      ...compact({ late }),
    };
    if (response === undefined || statusAt === undefined) {
      return { kind: "notification", security, notification };
    }
    return {
      kind: "notification",
      security,
      notification,
      respond: (status) => {
        response[statusAt] = status;
        const flags = message.flags & (AUTH | PRIV);
        return this.#seal(message, { flags, data: response, user });
      },
    };
  }

  #refuse(
    message: MessageV3,
    { reason, stat }: { readonly reason: string; readonly stat: Stat },
  ): Taken {
    const isReportable = (message.flags & REPORTABLE) !== 0;
    const report = isReportable ? { report: this.#report(message, stat) } : {};
    return { kind: "refused", security: factsOf(message), reason, ...report };
  }

  /** A report is authenticated only if the sender was. */
  #report(message: MessageV3, stat: Stat, user?: UsmUser): Uint8Array {
    const value = (this.#counts.get(stat) ?? 0) + 1;
    this.#counts.set(stat, value);
    const data = encodeReport(this.#id, { oid: STATS[stat], value });
    return this.#seal(message, { flags: user === undefined ? 0 : AUTH, data, user });
  }

  /** Answers a message with a security level. */
  #seal(
    { id, user: name }: MessageV3,
    { flags, data, user }: {
      readonly flags: number;
      readonly data: Uint8Array;
      readonly user: UsmUser | undefined;
    },
  ): Uint8Array {
    const security = { engineId: this.#id, ...this.#clock(), user: name };
    const keys = user && this.#users.keysOf(user, this.#id);
    const isPrivate = (flags & PRIV) !== 0 && user !== undefined && keys?.priv !== undefined;
    const salt = isPrivate ? this.#nextSalt(security.boots) : new Uint8Array();
    const { bytes, authenticationAt } = encodeV3({
      id,
      flags,
      security,
      authenticationBytes: user !== undefined && (flags & AUTH) !== 0
        ? authenticationBytes(user)
        : 0,
      privacy: salt,
      data: isPrivate
        ? encrypt(data, user, { key: keys.priv!, about: { ...security, salt } })
        : data,
    });
    if (user === undefined || keys === undefined || (flags & AUTH) === 0) return bytes;
    bytes.set(authenticate(bytes, user, keys), authenticationAt);
    return bytes;
  }

  #isTimely({ boots, time }: MessageV3): boolean {
    const clock = this.#clock();
    return boots === clock.boots && Math.abs(time - clock.time) <= WINDOW_SECONDS;
  }

  /** The start time in seconds: it grows with each start without being stored. */
  #clock(): { readonly boots: number; readonly time: number } {
    const time = Math.max(0, Math.floor((this.#now().getTime() - this.#startMs) / 1000));
    return { boots: Math.floor(this.#startMs / 1000) & 0x7fffffff, time };
  }

  /** RFC 3414 section 8.1.1.1: never the same twice for one key. */
  #nextSalt(boots: number): Uint8Array {
    const salt = new Uint8Array(8);
    const view = new DataView(salt.buffer);
    view.setUint32(0, boots);
    view.setUint32(4, this.#salt++);
    return salt;
  }
}

function factsOf({ user, flags, engineId }: MessageV3): SecurityFacts {
  const level = (flags & PRIV) !== 0
    ? "authPriv"
    : (flags & AUTH) !== 0
    ? "authNoPriv"
    : "noAuthNoPriv";
  return { user, level, engine_id: engineId.toHex() };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}
