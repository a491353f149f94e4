/**
 * Ports for programs that open them later.
 *
 * @module
 */

/**
 * First of the ports to choose from, and their number. They are below those that systems give to listeners and clients
 * by themselves (from 32768 on Linux, from 49152 elsewhere: RFC 6335 section 6), so that no other test gets them
 * meanwhile.
 */
const [FIRST, COUNT] = [20_000, 12_768];

/** Returns a free loopback port. */
export function freePort(): number {
  return freePorts(1)[0]!;
}

/** Returns different free loopback ports. */
export function freePorts(count: number): number[] {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST + Math.floor(COUNT * Math.random());
    if (isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
