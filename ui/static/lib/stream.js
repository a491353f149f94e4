/**
 * One event stream for all pages of a browser, which opens at most six connections to one host. The page that holds a
 * lock has the stream and passes its frames on; when it closes, the next one takes over.
 */

/**
 * @typedef {object} Frame
 * @property {string} name of the stream's event, or `lost` when the connection broke
 * @property {any} [data]
 */

const NAME = "standin.stream";
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;
const STREAM_EVENTS = ["hello", "captured", "deleted", "cleared", "gap", "rejected"];

/**
 * Calls `receive` with every frame while the page is open. The first is `hello`.
 * @param {(frame: Frame) => void} receive
 */
export function followFrames(receive) {
  // Locks need a secure context: localhost is one, a network address is not.
  if (navigator.locks === undefined) return openStream(receive);
  const others = new BroadcastChannel(NAME);
  /** @type {string | undefined} Initial frame for joining pages; only known to the leader. */
  let state;
  let rejected = 0;
  let isLeader = false;
  others.onmessage = ({ data: frame }) => {
    if (frame.name !== "join") {
      if (!isLeader) receive(frame);
    } else if (isLeader && state !== undefined) {
      // Open pages fetch once more, which is harmless.
      others.postMessage(state === "hello" ? { name: state, data: { rejected } } : { name: state });
    }
  };
  others.postMessage({ name: "join" });
  void navigator.locks.request(NAME, () => {
    isLeader = true;
    openStream((frame) => {
      if (frame.name === "hello" || frame.name === "lost") state = frame.name;
      if (frame.name === "hello") rejected = frame.data.rejected;
      if (frame.name === "rejected") rejected = frame.data.count;
      others.postMessage(frame);
      receive(frame);
    });
    // Held until the page closes.
    return new Promise(() => {});
  });
}

/**
 * Opens the stream and reopens it when it breaks.
 * @param {(frame: Frame) => void} receive
 * @param {number} [retryMs] time until the next try, should this one fail
 */
function openStream(receive, retryMs = RETRY_MIN_MS) {
  const source = new EventSource("/ui/stream");
  let nextMs = retryMs;
  for (const name of STREAM_EVENTS) {
    source.addEventListener(name, (event) => {
      if (name === "hello") nextMs = RETRY_MIN_MS;
      receive({ name, data: JSON.parse(event.data) });
    });
  }
  source.onerror = () => {
    // The browser's own retry gives up on a response that is not a stream.
    source.close();
    receive({ name: "lost" });
    setTimeout(() => openStream(receive, Math.min(nextMs * 2, RETRY_MAX_MS)), nextMs);
  };
}
