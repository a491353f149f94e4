/**
 * Clients that request much and read nothing.
 *
 * @module
 */
import { assertEquals, assertLess } from "@std/assert";
import { writeAll } from "../../core/net/socket.ts";
import { BESIDE_BYTES, mib, residentBytes, type Target } from "./under_attack.ts";

/** Minimum time for the program to keep generating answers. */
const WATCH_MS = 1500;
const SAMPLE_MS = 50;

/** Connections that have each sent a request, and read nothing of the answers. */
export async function ask(url: string, count: number): Promise<Deno.TcpConn[]> {
  const { hostname, port, pathname, search } = new URL(url);
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const bytes = new TextEncoder().encode(head);
  return await Promise.all(Array.from({ length: count }, async () => {
    const conn = await Deno.connect({ hostname, port: Number(port) });
    await writeAll(conn, bytes);
    return conn;
  }));
}

/**
 * Fails if the program exceeds its memory limit while nobody reads, or no longer answers others.
 */
export async function holdsLittle(
  target: Target,
  limitBytes: number,
  open: () => Promise<readonly (Disposable | AsyncDisposable)[]>,
): Promise<void> {
  const mostBytes = limitBytes + BESIDE_BYTES;
  const peakBytes = await peakWith(target, open);
  assertLess(peakBytes, mostBytes, `${mib(peakBytes)} resident at most`);
}

async function peakWith(
  target: Target,
  open: () => Promise<readonly (Disposable | AsyncDisposable)[]>,
): Promise<number> {
  const unread = await open();
  let peak = 0;
  // Answered behind what those clients have asked for, which takes memory until then.
  let answered = false;
  const health = fetch(`${target.urls.api}/api/v1/health`).finally(() => answered = true);
  for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs || !answered;) {
    peak = Math.max(peak, await residentBytes(target.pid));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  assertEquals((await health).status, 200, await (await health).text());
  await using readers = new AsyncDisposableStack();
  for (const reader of unread) readers.use(reader);
  return peak;
}
