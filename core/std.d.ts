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

declare module "@std/http/status" {
  export const STATUS_TEXT: Readonly<Record<number, string | undefined>>;
}

declare module "@std/http/negotiation" {
  export function accepts(
    request: { readonly headers: Pick<Headers, "get"> },
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
