import { isAddressInUse } from "./address.ts";

/** Attempts to find one free port for both families. */
const TRIES = 10;

/**
 * Binds `hostname`; `localhost` means 127.0.0.1 and, if the machine has it, ::1 on the same port, because clients differ
 * in which they try first. Throws the error of the first failed bind.
 */
export function listenAll<T extends { close(): void }>(
  where: { hostname: string; port: number },
  open: (where: { hostname: string; port: number }) => { bound: T; port: number },
): { readonly bound: readonly T[]; readonly port: number } {
  if (where.hostname !== "localhost") {
    const { bound, port } = open(where);
    return { bound: [bound], port };
  }
  for (let tries = 1;; tries++) {
    const first = open({ hostname: "127.0.0.1", port: where.port });
    try {
      const second = open({ hostname: "::1", port: first.port });
      return { bound: [first.bound, second.bound], port: first.port };
    } catch (error) {
      if (!isAddressInUse(error)) return { bound: [first.bound], port: first.port };
      first.bound.close();
      if (where.port !== 0 || tries === TRIES) throw error;
    }
  }
}
