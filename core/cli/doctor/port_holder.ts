import type { Readiness } from "../../api/ready.ts";
import { formatAddress, type HostPort } from "../../net/address.ts";
import { requestHttp } from "../../net/http_client.ts";
import { greetingOf } from "../../net/probe.ts";
import { PROGRAM } from "../base/command.ts";
import { readJson, readReadiness } from "../instance/instance.ts";

/** Maximum wait for an HTTP server to identify itself, in milliseconds. */
const ANSWER_MS = 2000;

/** A port with a listener. */
export interface HeldPort extends HostPort {
  readonly network: "tcp" | "udp";
}

/**
 * Names the program that holds a port: an instance, or another server by its greeting or its `Server` field. `live` is
 * the examined instance.
 */
export async function holderOf(held: HeldPort, live: Readiness | undefined): Promise<string> {
  const own = live === undefined ? undefined : listenerOn(live, held);
  if (own !== undefined) return `the instance itself, for ${own}`;
  const stranger = "another program, which does not identify itself";
  if (held.network === "udp") return stranger;
  const greeting = await greetingOf(held);
  if (greeting === undefined) return stranger;
  const instance = greeting.startsWith("HTTP/") ? await instanceOn(held) : undefined;
  return instance ?? `another program, which answers "${greeting}"`;
}

/** Recognizes an instance by its response; `undefined` for any other server. */
async function instanceOn(held: HeldPort): Promise<string | undefined> {
  const hostname = held.hostname === "0.0.0.0" ? "127.0.0.1" : held.hostname;
  const base = `http://${formatAddress({ hostname, port: held.port })}`;
  const headers = { accept: "application/json" };
  try {
    const { body } = await requestHttp(`${base}/api/v1/ready`, { headers, timeoutMs: ANSWER_MS });
    const ready = readReadiness(body);
    if (ready !== undefined) {
      const label = ready.instance === undefined ? "" : ` "${ready.instance}"`;
      return `another ${PROGRAM}${label}, for ${listenerOn(ready, held) ?? "its API"}`;
    }
    // An ingress lacks this route, and its response lists what it takes.
    const { providers } = Object(readJson(body)) as { readonly providers?: unknown };
    return Array.isArray(providers) && providers.every((one) => typeof one?.provider === "string")
      ? `another ${PROGRAM}, for its ingress`
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name of an instance's listener on this port. */
function listenerOn({ listeners }: Readiness, { network, port }: HeldPort): string | undefined {
  return listeners.find(({ url }) =>
    Number(new URL(url).port) === port && isUdp(url) === (network === "udp")
  )?.name;
}

/** Returns whether a listener with this address takes datagrams. */
export function isUdp(url: string): boolean {
  return /^(snmp|tftp):/.test(url);
}
