/** Types of the `@std` functions in use: the npm package that carries the library has no declarations. */

declare module "@std/assert" {
  export class AssertionError extends Error {}
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): void;
  export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;
  export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
  export function assertArrayIncludes<T>(
    actual: ArrayLike<T>,
    expected: ArrayLike<T>,
    msg?: string,
  ): void;
  export function assertObjectMatch(
    actual: object,
    expected: Record<PropertyKey, unknown>,
    msg?: string,
  ): void;
  export function assertInstanceOf<T>(
    actual: unknown,
    expected: abstract new (...args: never[]) => T,
    msg?: string,
  ): asserts actual is T;
  export function assertThrows(fn: () => unknown, msg?: string): unknown;
  export function assertThrows<E extends Error>(
    fn: () => unknown,
    errorClass: abstract new (...args: never[]) => E,
    includes?: string,
    msg?: string,
  ): E;
  export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
  export function assertRejects<E extends Error>(
    fn: () => PromiseLike<unknown>,
    errorClass: abstract new (...args: never[]) => E,
    includes?: string,
    msg?: string,
  ): Promise<E>;
  export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
  export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;
  export function assertLess<T>(actual: T, expected: T, msg?: string): void;
  export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;
  export function fail(msg?: string): never;
}

declare module "@std/cli/parse-args" {
  export interface ParseOptions {
    boolean?: readonly string[];
    string?: readonly string[];
    collect?: readonly string[];
    negatable?: readonly string[];
    alias?: Readonly<Record<string, string | readonly string[]>>;
    default?: Readonly<Record<string, unknown>>;
    stopEarly?: boolean;
    "--"?: boolean;
    unknown?: (arg: string, key?: string, value?: unknown) => unknown;
  }
  export function parseArgs(
    args: readonly string[],
    options?: ParseOptions,
  ): Record<string, unknown> & { _: (string | number)[] };
}

declare module "@std/encoding/base64" {
  export function encodeBase64(data: ArrayBuffer | Uint8Array | string): string;
  /** Throws `TypeError` or `SyntaxError` for text that is not base64. */
  export function decodeBase64(text: string): Uint8Array<ArrayBuffer>;
}

declare module "@std/encoding/hex" {
  export function encodeHex(data: ArrayBuffer | Uint8Array | string): string;
  /** Throws for text that is not hex. */
  export function decodeHex(text: string): Uint8Array<ArrayBuffer>;
}

declare module "@std/http/etag" {
  export function eTag(
    entity: string | Uint8Array,
    options?: { weak?: boolean },
  ): Promise<string | undefined>;
  export function ifNoneMatch(value: string | null, etag: string | undefined): boolean;
}

declare module "@std/http/negotiation" {
  export function accepts(
    request: Pick<Request, "headers">,
    ...types: string[]
  ): string | undefined;
}

declare module "@std/http/server-sent-event-stream" {
  export interface ServerSentEventMessage {
    comment?: string;
    event?: string;
    data?: string;
    id?: string | number;
    retry?: number;
  }
  export class ServerSentEventStream
    extends TransformStream<ServerSentEventMessage, Uint8Array<ArrayBuffer>> {}
}

declare module "@std/media-types/type-by-extension" {
  /** With or without the leading dot, in any case of letters. */
  export function typeByExtension(extension: string): string | undefined;
}

declare module "@std/path/is-absolute" {
  /** By the rules of the system the program runs on. */
  export function isAbsolute(path: string): boolean;
}

declare module "@std/path/join" {
  /** By the rules of the system the program runs on; `.` and `..` are taken out. */
  export function join(path: string, ...paths: string[]): string;
}

declare module "@std/streams/to-bytes" {
  export function toBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>>;
}

declare module "@std/toml" {
  /** Throws `SyntaxError` naming line and column. */
  export function parse(text: string): Record<string, unknown>;
}

declare module "ssh2" {
  import type { Duplex, Writable } from "node:stream";

  export interface ParsedKey {
    readonly type: string;
    getPublicSSH(): Uint8Array;
    isPrivateKey(): boolean;
    verify(data: Uint8Array, signature: Uint8Array, algorithm?: string): boolean | Error;
  }
  interface AuthBase {
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
        /** Absent while the client only asks whether the key would do. */
        readonly signature?: Uint8Array;
        readonly blob?: Uint8Array;
        readonly hashAlgo?: string;
      }
      | {
        readonly method: "keyboard-interactive";
        prompt(
          prompts: readonly { readonly prompt: string; readonly echo: boolean }[],
          answered: (answers: readonly string[]) => void,
        ): void;
      }
    );
  export interface ServerChannel extends Duplex {
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
  }
  export interface Connection {
    /** Not part of the library's interface: nothing else closes these. */
    readonly _protocol?: {
      readonly _cipher?: { readonly _cipherInstance?: { final(): unknown } };
      readonly _decipher?: { readonly _decipherInstance?: { final(): unknown } };
    };
    on(event: "authentication", listener: (context: AuthContext) => void): this;
    on(event: "session", listener: (accept: () => Session, reject: () => void) => void): this;
    on(event: "ready" | "close", listener: () => void): this;
    on(event: "handshake", listener: (agreed: unknown) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
    end(): void;
  }
  class Server {
    constructor(
      options: {
        readonly hostKeys: readonly (string | Uint8Array)[];
        readonly ident?: string;
        readonly algorithms?: { readonly cipher: readonly string[] };
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
  const ssh2: {
    readonly Server: typeof Server;
    readonly utils: {
      parseKey(data: string | Uint8Array): ParsedKey | Error | readonly ParsedKey[];
      generateKeyPairSync(type: "ed25519", options?: { comment?: string }): {
        readonly private: string;
        readonly public: string;
      };
    };
  };
  export default ssh2;
}
