/**
 * Chromium without a window. The program is a child of the test's own and the debugging protocol goes over a web
 * socket of the platform, so that one that stops answering can be ended for good: Playwright's own launch goes through
 * the extra pipes of `node:child_process`, whose end has been seen to be never told.
 *
 * @module
 */
// @ts-types="./playwright.d.ts"
import { type Browser, chromium, type DebuggingTransport } from "npm:playwright-core@1.65.1";
import { IdleError } from "../../core/net/transport.ts";
import { within } from "../../core/net/within.ts";

/** A browser with a profile of its own. Disposing it ends the program and removes the profile. */
export interface RunningBrowser extends AsyncDisposable {
  newContext: Browser["newContext"];
}

/** No sandbox, because tests may run as root; nothing that would talk to anybody; nothing slowed down unseen. */
const FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--disable-extensions",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-back-forward-cache",
  "--disable-dev-shm-usage",
  "--disable-popup-blocking",
  "--disable-hang-monitor",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
  // A mouse that hovers, which a machine without a screen does not report.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--remote-debugging-port=0",
];

/** Longest time until the program says where it listens, in milliseconds. */
const START_MS = 20_000;

/** Longest time that it may take to end when asked to, in milliseconds. */
const END_MS = 3_000;

/** Chromium did not start, or did not come to an end, although every single wait is shorter. */
export class BrowserHang extends Error {
  override name = "BrowserHang";
}

/** Starts Chromium. Rejects with `BrowserHang` when it does not come up in time. */
export async function launchBrowser(executablePath: string): Promise<RunningBrowser> {
  const profile = await Deno.makeTempDir({ prefix: "chromium-" });
  const child = new Deno.Command(executablePath, {
    args: [...FLAGS, `--user-data-dir=${profile}`],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const output = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let socketClosed: Promise<void> | undefined;
  let unread: Promise<void> | undefined;
  const end = async () => {
    await endProgram(child);
    await socketClosed;
    // Its helpers end a little later, and write to the profile until then; they too hold the pipe.
    try {
      await soon(unread ?? drain(output), "end");
      await Deno.remove(profile, { recursive: true });
    } catch (error) {
      // What is left of a program that was killed is no fault of what it showed.
      console.warn(`Cannot clean up after Chromium: ${error}`);
      await output.cancel();
    }
  };
  try {
    const address = await soon(debuggingAddress(output), "start");
    const { transport, closed } = await soon(openTransport(address), "take a connection");
    socketClosed = closed;
    const browser = await soon(chromium.connectOverCDP(transport), "answer");
    unread = drain(output);
    return {
      newContext: (options) => browser.newContext(options),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The promise, or a `BrowserHang` when it takes too long. */
async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  try {
    return await within(promise, START_MS, "");
  } catch (error) {
    if (!(error instanceof IdleError)) throw error;
    throw new BrowserHang(`Chromium did not ${what} within ${START_MS} ms`);
  }
}

/** The address that the program prints when it listens. */
async function debuggingAddress(output: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = "";
  for (;;) {
    const { value, done } = await output.read();
    if (done) throw new Error(`Cannot start Chromium: it ended at once\n${text}`);
    text += value;
    const [, address] = /^DevTools listening on (ws:\S+)\s/m.exec(text) ?? [];
    if (address !== undefined) return address;
  }
}

/** What is printed later says nothing about a page, and must not fill the pipe. */
async function drain(output: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await output.read()).done);
}

async function openTransport(
  address: string,
): Promise<{ readonly transport: DebuggingTransport; readonly closed: Promise<void> }> {
  const socket = new WebSocket(address);
  const transport: DebuggingTransport = {
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Error(`Cannot connect to Chromium at ${address}`));
  socket.onmessage = ({ data }) => transport.onmessage?.(JSON.parse(data));
  socket.onclose = () => {
    transport.onclose?.();
    closed.resolve();
  };
  await opened.promise;
  return { transport, closed: closed.promise };
}

/** Asks the program to end, and makes it end when it does not. */
async function endProgram(child: Deno.ChildProcess): Promise<void> {
  const end = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  end("SIGTERM");
  const timer = setTimeout(() => end("SIGKILL"), END_MS);
  await child.status;
  clearTimeout(timer);
}
