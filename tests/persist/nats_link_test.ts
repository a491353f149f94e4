/** An instance leaves a server that takes nothing any more, whatever waits to be sent there. */
import { assert, assertEquals } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { silentLogger } from "../../core/log.ts";
import { Link } from "../../core/nats/link.ts";
import { until } from "../support/files.ts";
import { requireNats } from "../support/nats.ts";

const HOSTNAME = "127.0.0.1";
/** More than the buffers of two sockets hold. */
const [PART_BYTES, PARTS] = [512 * 1024, 64] as const;

/** Way to a server; once it is blocked, it takes nothing, and ends nothing. */
class Way implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: HOSTNAME, port: 0 });
  readonly #conns: Deno.Conn[] = [];
  readonly #running: Promise<unknown>[] = [];
  readonly #target: Deno.ConnectOptions;
  #isBlocked = false;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#target = { hostname, port: Number(port) };
    this.#running.push(this.#accept());
  }

  get url(): string {
    return `nats://${HOSTNAME}:${this.#listener.addr.port}`;
  }

  block(): void {
    this.#isBlocked = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const conn of this.#conns) conn.close();
    await Promise.allSettled(this.#running);
  }

  async #accept(): Promise<void> {
    for await (const conn of this.#listener) {
      const server = await Deno.connect(this.#target);
      this.#conns.push(conn, server);
      this.#running.push(this.#copy(conn, server), this.#copy(server, conn));
    }
  }

  async #copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    for (let count; (count = await from.read(buffer)) !== null;) {
      if (this.#isBlocked) return;
      for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
    }
  }
}

Deno.test("a server that takes nothing is left, although much waits to be sent", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  const [server = ""] = nats.servers;
  await using first = new Way(server);
  await using second = new Way(server);
  const connection = await connect({
    servers: [first.url, second.url],
    noRandomize: true,
    ignoreClusterUpdates: true,
    reconnectTimeWait: 50,
    timeout: 1000,
  });
  await using _ = { [Symbol.asyncDispose]: () => connection.close() };
  const link = new Link(connection, {
    log: silentLogger,
    isClustered: true,
    probe: () => Promise.reject(new Error("Nothing is answered")),
  });
  let isBack = false;
  link.onBack(() => isBack = true);
  assertEquals(connection.getServer(), new URL(first.url).host);

  first.block();
  for (let n = 0; n < PARTS; n++) connection.publish("anything", new Uint8Array(PART_BYTES));
  await until(() => {
    link.unanswered();
    return isBack;
  }, 20_000);

  assert(link.isConnected);
  assertEquals(connection.getServer(), new URL(second.url).host);
  await connection.flush();
});
