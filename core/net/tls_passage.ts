import { silentLogger } from "../log.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { createTerminator } from "./tls_loopback.ts";
import { ListenerTerminator } from "./tls_loopback_listener.ts";
import type { TlsPassage, TlsTerminator } from "./tls_terminator.ts";

/** A passage that counts as open until `done`. */
export interface OwnedPassage extends TlsPassage {
  /** Call it once, when both ends are closed: the server stops with its last passage. */
  done(): void;
}

/** A server for all conversations with one identity. */
interface Shared {
  readonly terminator: Promise<TlsTerminator>;
  passages: number;
}

const shared = new WeakMap<TlsIdentity, Shared>();

/**
 * Opens a passage for a conversation. Its server sends each reply at once. The platform's own listener would hold back a
 * reply for 40 ms while the one before it is not acknowledged, such as 226 after 150, or a greeting after session tickets.
 */
export async function openConversation(
  identity: TlsIdentity,
  { handshakeMs }: { handshakeMs: number },
): Promise<OwnedPassage> {
  const server = shared.get(identity) ?? {
    terminator: createTerminator(identity, {
      ...{ handshakeMs, log: silentLogger, alpnProtocols: [], asks: false },
    }),
    passages: 0,
  };
  shared.set(identity, server);
  server.passages++;
  const done = (): void => {
    if (--server.passages > 0) return;
    shared.delete(identity);
    server.terminator.then((terminator) => terminator.stop()).catch(() => {});
  };
  try {
    return { ...await (await server.terminator).open(), done };
  } catch (error) {
    done();
    throw error;
  }
}

/**
 * Opens a passage for the bytes of a file, through the platform's own listener: only there does a missing close_notify
 * show.
 */
export async function openTransfer(identity: TlsIdentity): Promise<OwnedPassage> {
  const terminator = new ListenerTerminator(identity, { log: silentLogger });
  try {
    return { ...await terminator.open(), done() {} };
  } finally {
    await terminator.stop();
  }
}
