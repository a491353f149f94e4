import { connect } from "node:net";

/** Concurrent connections of one flood. */
const TOGETHER = 20;

/**
 * Opens connections, sends data on each, and resets them at once (RFC 9293 section 3.5.2), so that
 * no end is sent.
 */
export async function resetMany(
  port: number,
  { count, words = new Uint8Array() }: { count: number; words?: Uint8Array },
): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await resetOne(port, words);
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

async function resetOne(port: number, words: Uint8Array): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // The other side may have closed first.
  socket.on("error", () => {});
  socket.once("connect", () => {
    if (words.length === 0) socket.resetAndDestroy();
    else socket.write(words, () => socket.resetAndDestroy());
  });
  await closed;
}
