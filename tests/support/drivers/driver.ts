/**
 * The client side of the contract of the files plugin, for any protocol. To add a protocol,
 * implement a `Driver` and a `FileClient` with the methods of the protocol, and add them to the
 * list in `mod.ts`.
 *
 * @module
 */

/** Address of a provider, in this process or elsewhere. */
export interface Listening {
  endpoint(provider: string): { readonly port: number };
}

/** A path as text, or as bytes that are not valid text. */
export type Name = string | Uint8Array;

/** Reasons for refusals of the tree. */
export type Reason =
  | "missing"
  | "exists"
  | "directory"
  | "notEmpty"
  | "badPath"
  | "tooLarge"
  | "full";

/** One protocol. */
export interface Driver {
  /** Id of the provider. */
  readonly id: string;
  /** Methods of its clients that not every protocol has. */
  readonly methods: readonly (keyof FileClient)[];
  /** Settings of the provider during the tests, as in the configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The protocol's name for each refusal: the `code` of `Refused`. */
  readonly codes: Readonly<Record<Reason, string>>;
  /** Whether an upload creates the directories above it. */
  readonly makesParents: boolean;
  /** Whether an empty file exists before its bytes are sent. */
  readonly createsFirst?: true;
  /** Whether a backslash in a name separates directories; otherwise it is refused. */
  readonly backslashSeparates: boolean;
  /** Whether a path can be sent unchanged; in TFTP, for example, a NUL ends a name. */
  canSend(path: Uint8Array): boolean;
  open(service: Listening): Promise<FileClient>;
}

/** Name and kind of an entry. */
export interface Seen {
  readonly dir: boolean;
  readonly size: number;
}

/**
 * A connected client. Refusals of the server reject with `Refused`; methods that a protocol lacks
 * are absent.
 */
export interface FileClient extends AsyncDisposable {
  /** Puts a whole file in place. */
  put(path: Name, bytes: Uint8Array): Promise<void>;
  /** Fetches a whole file. */
  get(path: Name): Promise<Uint8Array>;
  /**
   * Begins an upload, sends the bytes, and disconnects like a killed program, without the closing
   * signal. Resolves once the bytes are sent. Afterwards the client can only be disposed of.
   */
  abandon(path: string, bytes: Uint8Array): Promise<void>;
  /** Fetches a file from an offset. */
  getFrom?(path: string, offset: number): Promise<Uint8Array>;
  /** Writes from an offset, like a client that resumes; earlier bytes stay. */
  putFrom?(path: string, offset: number, bytes: Uint8Array): Promise<void>;
  mkdir?(path: Name): Promise<void>;
  /** Names in a directory, sorted, without `.` and `..`. */
  list?(path: Name): Promise<readonly string[]>;
  stat?(path: Name): Promise<Seen>;
  /** May replace a file. */
  rename?(from: string, to: string): Promise<void>;
  /** Deletes a file. */
  remove?(path: string): Promise<void>;
  /** Deletes an empty directory. */
  rmdir?(path: string): Promise<void>;
}

/** The server refused. */
export class Refused extends Error {
  override name = "Refused";

  constructor(
    /** The protocol's own code. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const encoder = new TextEncoder();

/** The bytes of a path. */
export function toBytes(path: Name): Uint8Array {
  return typeof path === "string" ? encoder.encode(path) : path;
}
