/** Waits for `all`, whether it succeeds or not, but no longer than `ms`. Leaves no timer. */
export async function settle(all: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([all.catch(() => {}), late]);
  clearTimeout(timer);
}
