/**
 * The client side of the contract of the files plugin, for any protocol. A protocol joins with a `Driver`, with a
 * `FileClient` that has the methods its protocol knows, in the list of `mod.ts`.
 *
 * @module
 */

/** Address of a provider: of a service in this process, or elsewhere. */
export interface Listening {
  endpoint(provider: string): { readonly port: number };
}

/** A path as text, or as bytes that are not valid text. */
export type Name = string | Uint8Array;

/** Why the tree may refuse something. */
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
  /** Settings of the provider during the tests, as the configuration file has them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The protocol's name for each refusal: the `code` of `Refused`. */
  readonly codes: Readonly<Record<Reason, string>>;
  /** Whether an upload makes the directories above it. */
  readonly makesParents: boolean;
  /** Whether a file is there, empty, before its bytes are sent. */
  readonly createsFirst?: true;
  /** Whether a backslash in a name separates directories; otherwise it is refused. */
  readonly backslashSeparates: boolean;
  /** Whether a path can be sent as it is; a NUL, for one, ends a name in TFTP. */
  canSend(path: Uint8Array): boolean;
  open(service: Listening): Promise<FileClient>;
}

/** Name and kind of an entry. */
export interface Seen {
  readonly dir: boolean;
  readonly size: number;
}

/** A connected client. Whatever the server refuses rejects with `Refused`; methods a protocol lacks are absent. */
export interface FileClient extends AsyncDisposable {
  /** Puts a whole file in place. */
  put(path: Name, bytes: Uint8Array): Promise<void>;
  /** Fetches a whole file. */
  get(path: Name): Promise<Uint8Array>;
  /**
   * Begins an upload, sends the bytes, and goes away as a killed program does, without the closing signal. Resolves
   * when the bytes are under way. Nothing else can be done with this client then, but to dispose of it.
   */
  abandon(path: string, bytes: Uint8Array): Promise<void>;
  /** Fetches a file from an offset on. */
  getFrom?(path: string, offset: number): Promise<Uint8Array>;
  /** Writes from an offset on, as a client that resumes does; what was before it stays. */
  putFrom?(path: string, offset: number, bytes: Uint8Array): Promise<void>;
  mkdir?(path: Name): Promise<void>;
  /** Names in a directory, sorted, without `.` and `..`. */
  list?(path: Name): Promise<readonly string[]>;
  stat?(path: Name): Promise<Seen>;
  /** May take the place of a file. */
  rename?(from: string, to: string): Promise<void>;
  /** Deletes a file. */
  remove?(path: string): Promise<void>;
  /** Deletes an empty directory. */
  rmdir?(path: string): Promise<void>;
}

/** The server said no. */
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
