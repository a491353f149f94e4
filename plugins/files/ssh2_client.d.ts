/** Types of what a client uses of the SSH library: the package has no declarations. */
import type { Buffer } from "node:buffer";
import type { Connection } from "./sftp/ssh2.d.ts";

export interface SftpWrapper {
  mkdir(path: string, done: (error?: Error | null) => void): void;
  writeFile(path: string, bytes: Buffer, done: (error?: Error | null) => void): void;
}
export declare class Client {
  readonly _protocol?: NonNullable<Connection["_protocol"]>;
  on(event: "ready" | "close", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  connect(options: {
    readonly host: string;
    readonly port: number;
    readonly username: string;
    readonly password: string;
    /** In milliseconds. */
    readonly readyTimeout: number;
    readonly algorithms?: { readonly cipher: readonly string[] };
  }): this;
  sftp(ready: (error: Error | undefined, sftp: SftpWrapper) => void): void;
  end(): void;
}
