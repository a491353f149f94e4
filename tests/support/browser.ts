/**
 * The user interface in a real browser. Every request to another host is recorded and blocked; every error that the
 * page reports fails the test, unless the test declares it as expected. The tests of a file share
 * one browser, and each has its own profile.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
// @ts-types="./playwright.d.ts"
import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Page,
  type PageRequest,
} from "npm:playwright-core@1.65.1";
import type { AnyPlugin } from "../../core/plugin.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { clientTest, findProgram } from "./clients.ts";
import { type DeadEnd, openDeadEnd } from "./dead_end.ts";
import { startService, type TestService } from "./service.ts";

/** Context of a browser test. */
export interface Stage {
  readonly page: Page;
  readonly service: TestService;
  /** Blocked requests to other machines, in order. */
  readonly foreign: readonly string[];
  /** Opens a page of the user interface, such as `/ui/mail/`, and waits until it is connected. Returns the status. */
  open(path: string): Promise<number>;
  /**
   * Waits until all pages have received their responses, and the first one has rendered them and is
   * stable.
   */
  settle(): Promise<void>;
  /** Waits until an expression is true in the page, or a condition here. */
  until(condition: string | (() => boolean)): Promise<void>;
  /** Another page of the same profile. */
  newPage(): Promise<Page>;
}

/** Options of a browser test. */
export interface StageOptions {
  /** Every standard plugin by default. */
  readonly plugins?: readonly AnyPlugin[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly scheme?: "light" | "dark";
  /** Pixels; 1280 by 800 by default. */
  readonly width?: number;
  readonly height?: number;
  /** Errors that the browser reports although it behaves as intended. */
  readonly expected?: RegExp;
}

/** No sandbox, because tests may run as root; no background network services. */
const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Longest wait for anything on the page, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Starts headless Chromium with extra `flags`. */
export async function launchBrowser(
  executablePath: string,
  flags: readonly string[] = [],
): Promise<Browser> {
  return await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/**
 * Starts Chromium as people use it: with a persistent profile, and with preconnects. A profile
 * created by Playwright opens none.
 */
export async function launchProfile(
  executablePath: string,
  folder: string,
  flags: readonly string[],
): Promise<BrowserContext> {
  const background = "--disable-background-networking";
  return await chromium.launchPersistentContext(folder, {
    executablePath,
    viewport: { width: 1280, height: 800 },
    ignoreDefaultArgs: [background],
    args: [...FLAGS.filter((flag) => flag !== background), ...flags],
  });
}

/**
 * Browser programs that render alike; the full one also has the background behaviour of a normal
 * browser.
 */
export type BrowserProgram = "chromium" | "chromium-headless-shell";

/** Browsers of this test file, by program and flags. */
const shared = new Map<string, { browser?: Browser }>();

/**
 * Lets the tests of this file share a browser with these flags, started before the first of them: a start costs more
 * than most tests. Called while the tests are registered; the result returns the browser to a running test.
 */
export function shareBrowser(
  program: BrowserProgram,
  flags: readonly string[] = [],
): () => Browser {
  const executablePath = findProgram(program);
  const key = [program, ...flags].join(" ");
  const known = shared.get(key);
  const place = known ?? {};
  if (known === undefined && executablePath !== undefined) {
    shared.set(key, place);
    Deno.test.beforeAll(async () => {
      place.browser = await launchBrowser(executablePath, flags);
    });
    Deno.test.afterAll(async () => await place.browser?.close());
  }
  return () => {
    if (place.browser === undefined) throw new Error("Cannot use the browser: it did not start");
    return place.browser;
  };
}

/** A test with a service and a page; skipped with a message if Chromium is missing. */
export function browserTest(
  title: string,
  run: (stage: Stage) => Promise<void>,
  options: StageOptions = {},
): void {
  const browser = shareBrowser("chromium-headless-shell");
  clientTest(title, ["chromium-headless-shell"], async () => {
    const { plugins, config } = options;
    await using service = await startService({
      ...(plugins === undefined ? {} : { plugins }),
      ...(config === undefined ? {} : { config }),
    });
    // Routing every request through the test would double the load time and turn the cache off.
    using elsewhere = openDeadEnd();
    const context = await browser().newContext({
      proxy: { server: elsewhere.url, bypass: new URL(service.ui.url).host },
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.scheme ?? "light",
      // Transitions would only make `settle` wait.
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    try {
      await runOnStage(context, { service, elsewhere }, { run, options });
    } finally {
      await context.close();
    }
  });
}

async function runOnStage(
  context: BrowserContext,
  { service, elsewhere }: { service: TestService; elsewhere: DeadEnd },
  { run, options }: { run: (stage: Stage) => Promise<void>; options: StageOptions },
): Promise<void> {
  const pending = watchRequests(context, elsewhere);
  const problems: string[] = [];
  const newPage = async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() !== "error" || options.expected?.test(text) === true) return;
      if (!isOfDeleted(message, service)) problems.push(text);
    });
    return page;
  };
  const page = await newPage();
  await run({
    page,
    service,
    foreign: elsewhere.foreign,
    newPage,
    settle: () => settle(page, pending),
    until: (condition) => until(page, condition),
    async open(path) {
      const response = await page.goto(service.ui.url + path);
      // The version appears once everything was fetched.
      await page.locator(".nav-state:has(.dot.live) .nav-version:not(:empty)").first()
        .waitFor({ state: "attached" });
      return response?.status() ?? 0;
    },
  });
  assertEquals(problems, []);
}

/** An id of an event in a path. */
const ID = /\b[0-9a-f]{24}\b/;

/** Whether a page requested an event, or a part of one, that was deleted before the response. */
function isOfDeleted(message: ConsoleMessage, service: TestService): boolean {
  const [id] = ID.exec(message.location().url) ?? [];
  return message.text().includes("status of 404") && id !== undefined &&
    service.events.get(id) === undefined;
}

/** Polling interval, in milliseconds. */
const LOOK_MS = 30;

/** The page's policy forbids the in-page evaluation that Playwright's own wait for an expression needs. */
async function until(page: Page, condition: string | (() => boolean)): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  const holds = async () =>
    typeof condition === "string"
      ? await page.evaluate<boolean>(`Boolean(${condition})`)
      : condition();
  while (!await holds()) {
    if (performance.now() > endMs) {
      throw new Error(`Waited ${PATIENCE_MS} ms in vain: ${condition}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Returns the requests without a response yet. */
function watchRequests(context: BrowserContext, elsewhere: DeadEnd): ReadonlySet<PageRequest> {
  const pending = new Set<PageRequest>();
  context.on("request", (request) => {
    // The stream of events never ends.
    if (request.resourceType() !== "eventsource") pending.add(request);
    if (/^(http|ws)s?:/.test(request.url())) elsewhere.wanted(request.url());
  });
  context.on("requestfinished", (request) => pending.delete(request));
  context.on("requestfailed", (request) => pending.delete(request));
  return pending;
}

/** Resolves after two frames without movement: by then the response is rendered. */
const AT_REST = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
})()`;

async function settle(page: Page, pending: ReadonlySet<PageRequest>): Promise<void> {
  do {
    await until(page, () => pending.size === 0);
    await page.evaluate<void>(AT_REST);
  } while (pending.size > 0);
}

/** Sends what `standin demo` sends: samples for every provider. */
export async function sendSamples(service: TestService): Promise<void> {
  const args = ["demo", "--url", service.ui.url];
  const { code, stderr } = await runToEnd(args, { plugins: STANDARD_PLUGINS });
  assertEquals([code, stderr], [0, ""]);
}

/** A mail as `POST /emails` takes it. */
export interface SampleMail {
  readonly from?: string;
  readonly to?: string | readonly string[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly reply_to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly {
    readonly filename: string;
    /** Base64. */
    readonly content: string;
    readonly content_type?: string;
    readonly content_id?: string;
  }[];
}

/** Sends a mail through the mail3 provider and returns its event id. */
export async function sendMail(service: TestService, mail: SampleMail = {}): Promise<string> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify({
      from: "Acme <hello@example.com>",
      to: "ada@example.org",
      subject: "Hello",
      ...(mail.html === undefined ? { text: "Hello, Ada." } : {}),
      ...mail,
    }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`Cannot send the mail: ${response.status} ${answer}`);
  const url = response.headers.get("x-service-event-url") ?? "";
  return url.slice(url.lastIndexOf("/") + 1);
}
