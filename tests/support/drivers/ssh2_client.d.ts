/** Types of the used part of the SSH library's client: the package has no declarations. */
import type { Duplex } from "node:stream";
import type { Protocol } from "../../../plugins/files/sftp/ssh2.d.ts";

export declare class Client {
  /** Not part of the library's interface. */
  readonly _protocol?: Protocol & { rekey(): void };
  on(event: "ready" | "close" | "handshake", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  connect(options: {
    readonly sock: Duplex;
    readonly username: string;
    readonly password?: string;
    readonly algorithms?: {
      readonly cipher?: readonly string[];
      readonly kex?: readonly string[];
    };
    /** Chooses a login method; waits forever if it neither returns nor calls back. */
    readonly authHandler?: () => void;
  }): this;
  subsys(name: string, opened: (error: Error | undefined, channel: Duplex) => void): this;
  end(): void;
  destroy(): void;
}
