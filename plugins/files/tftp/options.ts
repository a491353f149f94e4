/** Negotiates the options of a transfer (RFC 2348, 2349, 7440). */

/** The granted options. */
export interface Terms {
  readonly blockBytes: number;
  readonly windowBlocks: number;
  /** Time until a packet is retransmitted. */
  readonly timeoutMs: number;
  /** Options of OACK; empty if none were granted. */
  readonly granted: ReadonlyMap<string, string>;
  /** Size announced by the client. */
  readonly declaredBytes: number | undefined;
}

const DEFAULT_BLOCK = 512;
const MIN_BLOCK = 8;
const MAX_BLOCK = 65_464;
/** Larger windows gain nothing. */
const MAX_WINDOW = 64;
/**
 * A window is sent in one burst, and a client with a socket buffer of the usual size drops what does not fit, on each
 * retransmission again. A server may grant less than requested (RFC 7440 section 3).
 */
const MAX_WINDOW_BYTES = 65_536;

/**
 * Grants options, and leaves out the others as if they were not requested. `size` is that of the file to send, or
 * absent for an upload. That of an empty file is left out: curl 7.88 takes `tsize 0` for an error.
 */
export function negotiate(
  asked: ReadonlyMap<string, string>,
  about: { size: number | undefined; timeoutMs: number },
): Terms {
  const granted = new Map<string, string>();
  const number = (name: string, min: number, max: number): number | undefined => {
    const text = asked.get(name);
    const value = text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value >= min && value <= max ? value : undefined;
  };
  const blockBytes = number("blksize", MIN_BLOCK, 65_535);
  const block = Math.min(blockBytes ?? DEFAULT_BLOCK, MAX_BLOCK);
  if (blockBytes !== undefined) granted.set("blksize", String(block));
  const most = Math.min(MAX_WINDOW, Math.max(1, Math.floor(MAX_WINDOW_BYTES / block)));
  const window = Math.min(number("windowsize", 1, 65_535) ?? 0, most);
  if (window > 0) granted.set("windowsize", String(window));
  const timeout = number("timeout", 1, 255);
  if (timeout !== undefined) granted.set("timeout", String(timeout));
  const declared = number("tsize", 0, Number.MAX_SAFE_INTEGER);
  if (declared !== undefined && about.size !== 0) {
    granted.set("tsize", String(about.size ?? declared));
  }
  return {
    blockBytes: block,
    windowBlocks: Math.max(1, window),
    timeoutMs: timeout === undefined ? about.timeoutMs : timeout * 1000,
    granted,
    declaredBytes: about.size === undefined ? declared : undefined,
  };
}
