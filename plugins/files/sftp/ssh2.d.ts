/** Types of the SSH library, as far as used: the package has no declarations. */
import type { Duplex, Writable } from "node:stream";

export interface ParsedKey {
  readonly type: string;
  getPublicSSH(): Uint8Array;
  isPrivateKey(): boolean;
  verify(data: Uint8Array, signature: Uint8Array, algorithm?: string): boolean | Error;
}
export interface AuthBase {
  readonly username: string;
  accept(): void;
  reject(methods?: readonly string[]): void;
}
export type AuthContext =
  & AuthBase
  & (
    | { readonly method: "none" | "hostbased" }
    | { readonly method: "password"; readonly password: string }
    | {
      readonly method: "publickey";
      readonly key: { readonly algo: string; readonly data: Uint8Array };
      /** Absent for a query whether the key is acceptable. */
      readonly signature?: Uint8Array;
      readonly blob?: Uint8Array;
      readonly hashAlgo?: string;
    }
    | {
      readonly method: "keyboard-interactive";
      prompt(
        prompts: readonly { readonly prompt: string; readonly echo: boolean }[],
        answered: (answers: readonly string[] | Error) => void,
      ): void;
    }
  );
export interface ServerChannel extends Duplex {
  readonly incoming: { readonly id: number };
  readonly stderr: Writable;
  exit(code: number): void;
}
type Accept<T> = (() => T) | undefined;
type Reject = (() => void) | undefined;
export interface Session {
  on(
    event: "subsystem",
    listener: (accept: Accept<ServerChannel>, reject: Reject, info: { name: string }) => void,
  ): this;
  on(event: "exec" | "shell", listener: (accept: Accept<ServerChannel>) => void): this;
  on(
    event: "env" | "pty" | "x11" | "auth-agent",
    listener: (accept: Accept<void>, reject: Reject) => void,
  ): this;
  on(event: "close", listener: () => void): this;
}
/** An error of the library. */
export interface SshError extends Error {
  readonly level?: string;
  /** The reason of a client's DISCONNECT, or a name of the platform. */
  readonly code?: number | string;
}
/** From here on: internals of the library. */
export interface Cipher {
  /** Allocates a framed and padded packet, whose payload begins at byte 5. */
  allocPacket(payloadBytes: number): Uint8Array<ArrayBuffer>;
  encrypt(packet: Uint8Array<ArrayBuffer>): void;
  readonly _cipherInstance?: { final(): unknown };
}
export interface Decipher {
  /** Number of the next packet. */
  inSeqno: number;
  _onPayload: (payload: Uint8Array) => unknown;
  readonly _decipherInstance?: { final(): unknown } | null;
}
/** The cipher chacha20-poly1305@openssh.com, in both directions. */
export interface ChaChaPolyCipher extends Cipher {
  /** Number of the next packet. */
  outSeqno: number;
  readonly _dead: boolean;
  readonly _encKeyMain: Uint8Array;
  readonly _encKeyPktLen: Uint8Array;
  _onWrite(bytes: Uint8Array): void;
}
/** AES-GCM, for sending. */
export interface GcmCipher extends Cipher {
  /** Number of the next packet. */
  outSeqno: number;
  readonly _dead: boolean;
  readonly _encSSLName: "aes-128-gcm" | "aes-256-gcm";
  readonly _encKey: Uint8Array;
  /** Nonce of the next packet. */
  readonly _encIV: Uint8Array;
  _onWrite(bytes: Uint8Array): void;
}
export interface ChaChaPolyDecipher extends Decipher {
  readonly _decKeyMain: Uint8Array;
  readonly _decKeyPktLen: Uint8Array;
}
export interface Protocol {
  _cipher: Cipher;
  _decipher: Decipher;
  /** Resets the timer of keepalives. */
  _onPacket(): void;
}
/** A session in the table of channels. */
export interface SessionEntry {
  readonly _chanInfo: {
    readonly incoming: { window: number; readonly state: string };
    readonly outgoing: { readonly id: number; window: number };
  };
  /** The program that runs in it. */
  readonly _channel?: ServerChannel;
  readonly _ending: boolean;
}
export interface Connection {
  readonly authenticated: boolean;
  readonly _protocol: Protocol;
  readonly _chanMgr: {
    readonly _count: number;
    /** Highest number so far; -1 before the first. */
    readonly _cur: number;
    get(id: number): SessionEntry | true | undefined;
    remove(id: number): void;
  };
  on(event: "authentication", listener: (context: AuthContext) => void): this;
  on(event: "session", listener: (accept: () => Session, reject: () => void) => void): this;
  on(event: "ready" | "close", listener: () => void): this;
  on(event: "handshake", listener: (agreed: unknown) => void): this;
  on(event: "error", listener: (error: SshError) => void): this;
  end(): void;
}
export declare class Server {
  constructor(
    options: {
      readonly hostKeys: readonly (string | Uint8Array)[];
      readonly ident?: string;
      readonly algorithms?: {
        readonly kex?: readonly string[];
        readonly cipher?: readonly string[];
        readonly compress?: readonly string[];
      };
      readonly keepaliveInterval?: number;
      readonly keepaliveCountMax?: number;
    },
    listener: (
      connection: Connection,
      info: { readonly header: { readonly identRaw: string } },
    ) => void,
  );
  on(event: "error", listener: (error: Error) => void): this;
  injectSocket(socket: Duplex): void;
}
export declare const utils: {
  parseKey(data: string | Uint8Array): ParsedKey | Error | readonly ParsedKey[];
};
