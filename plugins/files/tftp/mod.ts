/** tftp: the trivial file transfer protocol (RFC 1350, 2347, 2348, 2349, 7440) over the virtual tree. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { parseAddress } from "../../../core/net/address.ts";
import type { Datagram } from "../../../core/net/transport.ts";
import { defineOptions, integer, port, seconds } from "../../../core/options/spec.ts";
import {
  type Endpoint,
  type Fault,
  type ProviderEnv,
  type Snippet,
  udpProvider,
} from "../../../core/plugin.ts";
import { toSubject } from "../faults.ts";
import type { FilesState } from "../record.ts";
import {
  decodePacket,
  encodePacket,
  type Packet,
  type Request,
  TFTP_ERROR,
} from "./codec/packet.ts";
import { errorPacket } from "./errors.ts";
import { FAULTS, packetOf } from "./faults.ts";
import { serveTransfer } from "./session.ts";

const FILE = { only: "file" } as const;
/** Concurrent transfers: a request costs its sender one packet. */
const MAX_TRANSFERS = 256;
const LATIN1 = new TextDecoder("latin1");

const OPTIONS = defineOptions({
  port: port("UDP port of the TFTP listener", 6969),
  timeout_seconds: seconds("Time until a packet is resent, in seconds", 5, FILE),
  retries: integer("Number of times a packet is resent before the transfer is abandoned", 5, {
    min: 1,
    max: 100,
    ...FILE,
  }),
});

type TftpEnv = ProviderEnv<typeof OPTIONS, FilesState>;

/** The TFTP provider. */
export const tftp = udpProvider<FilesState, typeof OPTIONS>({
  id: "tftp",
  title: "TFTP",
  about: "A trivial file server: reads from the virtual tree and writes into it, without a login",
  scheme: "tftp",
  options: OPTIONS,
  portOption: "port",
  snippets: (at) => snippets(at),
  faults: FAULTS,
  open(env) {
    const transfers = new Transfers(env);
    return {
      receive: (datagram) => transfers.take(datagram),
      [Symbol.asyncDispose]: () => transfers.end(),
    };
  },
});

/** Names do not always resolve to the address of a datagram socket, so loopback is given as a number. */
function snippets({ hostname, port }: Endpoint): readonly Snippet[] {
  const host = hostname === "localhost" ? "127.0.0.1" : hostname;
  return [
    {
      title: "curl",
      lang: "sh",
      code: `printf 'Hello Ada' |
  curl --silent --show-error --upload-file - tftp://${host}:${port}/hello.txt`,
    },
    {
      title: "tftp-hpa",
      lang: "sh",
      code: `printf 'Hello Ada' >hello.txt
tftp -m binary ${host} ${port} -c put hello.txt`,
    },
  ];
}

class Transfers {
  readonly #env: TftpEnv;
  /** By client and request: a request repeated during its transfer does not start another. */
  readonly #running = new Set<string>();
  /** Open sockets: a finished upload answers copies of its last block for a while. */
  readonly #open = new Set<Promise<void>>();
  /** Closes the sockets of finished uploads, the oldest first. */
  readonly #finished = new Set<() => void>();

  constructor(env: TftpEnv) {
    this.#env = env;
  }

  async take(datagram: Datagram): Promise<void> {
    if (this.#env.ctx.signal.aborted) return;
    let packet: Packet;
    try {
      packet = decodePacket(datagram.bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return await this.#refuse(datagram, errorPacket(TFTP_ERROR.illegal, error.message));
    }
    // An ERROR is never answered, and the port of the listener belongs to no transfer.
    if (packet.type === "ERROR") return;
    if (packet.type !== "RRQ" && packet.type !== "WRQ") {
      const answer = errorPacket(TFTP_ERROR.unknownTransfer, "There is no transfer on this port");
      return await this.#refuse(datagram, answer);
    }
    // Another request from the same port is a new transfer: the client has finished, but its last ACK is unread.
    const key = `${datagram.peer} ${LATIN1.decode(datagram.bytes)}`;
    if (this.#running.has(key)) return;
    if (this.#running.size >= MAX_TRANSFERS) {
      return await this.#refuse(datagram, errorPacket(TFTP_ERROR.undefined, "Too many transfers"));
    }
    // Not awaited: the listener must take further datagrams during the transfer.
    this.#running.add(key);
    const serving = this.#serve(packet, datagram, key)
      .catch((error) =>
        this.#env.ctx.log.error("Cannot serve a transfer", {
          provider: "tftp",
          peer: datagram.peer,
          error,
        })
      )
      .finally(() => this.#open.delete(serving));
    this.#open.add(serving);
  }

  async end(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #serve(request: Request, datagram: Datagram, key: string): Promise<void> {
    const { peer, local } = datagram;
    const { ctx, net, state, values } = this.#env;
    const fault = await this.#ask(request, peer);
    if (fault !== undefined && !fault.after) {
      this.#running.delete(key);
      const packet = packetOf(fault);
      return packet && await datagram.reply(encodePacket(packet));
    }
    await using socket = await net.openUdp({ hostname: parseAddress(local).hostname });
    const close = (): void => void socket[Symbol.asyncDispose]();
    ctx.signal.addEventListener("abort", close, { once: true });
    try {
      await serveTransfer(request, {
        socket,
        peer,
        timeoutMs: values.timeout_seconds * 1000,
        retries: values.retries,
        late: fault,
        handler: {
          vfs: state.vfs,
          finished: () => this.#finish(key, close),
          actor: (meta) => ({
            provider: "tftp",
            transport: "udp",
            peer,
            meta: fault === undefined ? meta : { ...meta, fault: fault.name },
            capture: (event) => this.#env.settled(this.#env.capture(event)),
          }),
          refuse: (note) => this.#env.reject({ ...note, peer }),
        },
      });
    } finally {
      ctx.signal.removeEventListener("abort", close);
      this.#running.delete(key);
      this.#finished.delete(close);
    }
  }

  #ask({ type, file }: Request, peer: string): Promise<Fault | undefined> | undefined {
    return this.#env.fault(type === "WRQ" ? "capture" : "read", () => {
      const name = new TextDecoder().decode(file);
      const path = name.startsWith("/") ? name : `/${name}`;
      return [toSubject({ operation: type, path }, { transport: "udp", peer })];
    });
  }

  /** From now on the client may send another request from the same port. */
  #finish(key: string, close: () => void): void {
    this.#running.delete(key);
    this.#finished.add(close);
    const [oldest] = this.#finished;
    if (this.#finished.size > MAX_TRANSFERS) oldest?.();
  }

  async #refuse(datagram: Datagram, packet: Packet): Promise<void> {
    const reason = packet.type === "ERROR" ? packet.message : "";
    this.#env.reject({ reason, peer: datagram.peer, raw: datagram.bytes.slice(0, 1024) });
    await datagram.reply(encodePacket(packet));
  }
}
