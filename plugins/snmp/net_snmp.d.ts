/** Types of the SNMP library, which has no declarations; only the parts in use. */
import type { Buffer } from "node:buffer";

export interface Varbind {
  readonly oid: string;
  readonly type: number;
  readonly value: string | number | Buffer;
}
type Done = (error: Error | null) => void;
export interface Session {
  trap(type: number | string, varbinds: readonly Varbind[], done: Done): void;
  trap(
    type: number | string,
    varbinds: readonly Varbind[],
    options: { readonly agentAddr?: string; readonly upTime?: number },
    done: Done,
  ): void;
  inform(type: number | string, varbinds: readonly Varbind[], done: Done): void;
  on(event: "error", listener: (error: Error) => void): this;
  close(): void;
}
export declare const Version1: number;
export declare const Version2c: number;
export declare const ObjectType: Readonly<
  Record<
    | "Integer"
    | "OctetString"
    | "OID"
    | "IpAddress"
    | "Counter"
    | "Counter64"
    | "Gauge"
    | "TimeTicks"
    | "Opaque",
    number
  >
>;
export declare const TrapType: Readonly<
  Record<"ColdStart" | "LinkDown" | "LinkUp" | "AuthenticationFailure", number>
>;
export declare function createSession(
  target: string,
  community: string,
  options: {
    readonly trapPort: number;
    readonly version: number;
    readonly retries: number;
    /** In milliseconds. */
    readonly timeout: number;
  },
): Session;
