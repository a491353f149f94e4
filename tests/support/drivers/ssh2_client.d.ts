/** Types of what is used of the SSH library's client: the package has no declarations. */
import type { Duplex } from "node:stream";

export declare class Client {
  /** Not part of the library's interface: nothing else closes these. */
  readonly _protocol?: {
    readonly _cipher?: { readonly _cipherInstance?: { final(): unknown } };
    readonly _decipher?: { readonly _decipherInstance?: { final(): unknown } };
  };
  on(event: "ready" | "close", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  connect(options: {
    readonly sock: Duplex;
    readonly username: string;
    readonly password?: string;
    readonly algorithms?: { readonly cipher: readonly string[] };
  }): this;
  subsys(name: string, opened: (error: Error | undefined, channel: Duplex) => void): this;
  end(): void;
  destroy(): void;
}
