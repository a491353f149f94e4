/** Runs code that must not reach outside of its process, and catches an attempt even where the code ignores its failure. */

/** Ways to a network or a file; the rest of Deno and Node leads to these. */
const WAYS = {
  globalThis: ["fetch", "WebSocket", "EventSource"],
  Deno: [
    ...["connect", "connectTls", "connectQuic", "listen", "listenTls", "listenDatagram"],
    ...["resolveDns", "open", "openSync", "readFile", "readTextFile", "writeFile", "writeTextFile"],
    ...["Command"],
  ],
} as const;

/** Rejects if `work` uses the network, a file or a program. One at a time in a process. */
export async function withoutOutside<T>(work: () => Promise<T>): Promise<T> {
  const attempts: string[] = [];
  const undo: (() => void)[] = [];
  for (const [owner, names] of Object.entries(WAYS)) {
    const target = (owner === "Deno" ? Deno : globalThis) as unknown as Record<string, unknown>;
    for (const name of names) {
      const original = target[name];
      if (typeof original !== "function") continue;
      undo.push(() => target[name] = original);
      target[name] = function () {
        attempts.push(`${owner}.${name}`);
        throw new Error(`${owner}.${name} is not for this code`);
      };
    }
  }
  const result = await work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  for (const restore of undo) restore();
  // Whatever the result: code that catches the failure of an attempt has made one.
  if (attempts.length > 0) throw new Error(`Reached outside: ${attempts.join(", ")}`);
  if ("error" in result) throw result.error;
  return result.value;
}
