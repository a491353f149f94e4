/** A private network for a test: hosts in network namespaces that can be disconnected. */
import { findProgram, runOk, runProgram, skipTest } from "./clients.ts";

/** Hosts that reach each other, and that this machine reaches. */
export interface Network extends AsyncDisposable {
  /** Address of each host. */
  readonly addresses: readonly string[];
  /** Address of this machine. */
  readonly machine: string;
  /** Returns the prefix of a command that runs on a host. */
  on(host: number): readonly string[];
  /** Disconnects a host from everything. */
  cut(host: number): Promise<void>;
  /** Disconnects a host from the other hosts; this machine still reaches all of them. */
  cutFromOthers(host: number): Promise<void>;
  /** Undoes both. */
  reconnect(host: number): Promise<void>;
}

/**
 * Opens a network with a number of hosts. Returns nothing, after reporting it, where namespaces may
 * not be created: that takes root and, in a container, the capability `SYS_ADMIN`.
 */
export async function requireNetwork(
  t: Deno.TestContext,
  hosts: number,
): Promise<Network | undefined> {
  const ip = findProgram("ip");
  if (ip === undefined) {
    skipTest(t, "ip", "is not installed");
    return undefined;
  }
  const probe = `standin-probe-${Deno.pid}`;
  const { code, stderr } = await runProgram(ip, ["netns", "add", probe]);
  if (code !== 0) {
    skipTest(t, "ip-netns", `is not allowed: ${stderr.trim().slice(0, 200)}`);
    return undefined;
  }
  await runOk(ip, ["netns", "delete", probe]);
  return await openNetwork(ip, hosts);
}

let count = 0;

/**
 * Opens the network. A bridge in a separate namespace connects the hosts, so that no firewall of
 * this machine is between them; one link leads from the bridge to this machine.
 */
export async function openNetwork(ip: string, hosts: number): Promise<Network> {
  const run = async (...args: string[]): Promise<void> => void await runOk(ip, args);
  const name = `standin-${Deno.pid}-${count++}`;
  // For tests of networks (RFC 2544 section C.2.2). A random part, because tests run side by side.
  const part = `198.18.${crypto.getRandomValues(new Uint8Array(1))[0]}`;
  // At most 15 characters.
  const outside = `st${crypto.randomUUID().slice(0, 8)}`;
  const hostName = (host: number): string => `${name}-${host}`;
  const addresses = Array.from({ length: hosts }, (_, host) => `${part}.${host + 1}`);
  await using undo = new AsyncDisposableStack();
  const add = async (namespace: string): Promise<void> => {
    await run("netns", "add", namespace);
    undo.defer(() => run("netns", "delete", namespace));
    await run("-n", namespace, "link", "set", "lo", "up");
  };
  await add(name);
  await run("-n", name, "link", "add", "bridge", "type", "bridge");
  await run("-n", name, "link", "set", "bridge", "up");
  await run("link", "add", outside, "type", "veth", "peer", "name", "uplink", "netns", name);
  undo.defer(() => run("link", "delete", outside));
  await run("-n", name, "link", "set", "uplink", "master", "bridge", "up");
  await run("address", "add", `${part}.254/24`, "dev", outside);
  await run("link", "set", outside, "up");
  for (const [host, address] of addresses.entries()) {
    const own = hostName(host);
    await add(own);
    const port = `port${host}`;
    await run(
      "-n",
      name,
      "link",
      "add",
      port,
      "type",
      "veth",
      "peer",
      "name",
      "cable",
      "netns",
      own,
    );
    await run("-n", name, "link", "set", port, "master", "bridge", "up");
    await run("-n", own, "address", "add", `${address}/24`, "dev", "cable");
    await run("-n", own, "link", "set", "cable", "up");
  }
  const cutHosts = new Set<number>();
  const release = undo.move();
  /** Adds or deletes routes that discard packets, in both directions. */
  const block = async (host: number, verb: "add" | "delete"): Promise<void> => {
    for (const [other, address] of addresses.entries()) {
      if (other === host) continue;
      await run("-n", hostName(host), "route", verb, "blackhole", `${address}/32`);
      await run("-n", hostName(other), "route", verb, "blackhole", `${addresses[host]}/32`);
    }
  };
  return {
    addresses,
    machine: `${part}.254`,
    on: (host) => [ip, "netns", "exec", hostName(host)],
    cut: (host) => run("-n", name, "link", "set", `port${host}`, "down"),
    async cutFromOthers(host) {
      await block(host, "add");
      cutHosts.add(host);
    },
    async reconnect(host) {
      await run("-n", name, "link", "set", `port${host}`, "up");
      if (cutHosts.delete(host)) await block(host, "delete");
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}
