/**
 * The user interface in a real browser. Every request to another host is noted and goes nowhere; every error that the
 * page reports fails the test, unless the test says which ones the browser is meant to report.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
// @ts-types="./playwright.d.ts"
import { type Browser, type BrowserContext, chromium, type Page } from "npm:playwright-core@1.65.1";
import type { AnyPlugin } from "../../core/plugin.ts";
import { clientTest, runOk } from "./clients.ts";
import { startService, type TestService } from "./service.ts";

/** What a browser test works with. */
export interface Stage {
  readonly page: Page;
  readonly service: TestService;
  /** Requests that would have left this machine, in order. */
  readonly foreign: readonly string[];
  /** Opens a page of the user interface, such as `/ui/mail/`, and waits until it is connected. Gives the status. */
  open(path: string): Promise<number>;
  /** Waits until an expression holds in the page, or a condition here. */
  until(condition: string | (() => boolean)): Promise<void>;
  /** Another page of the same profile. */
  newPage(): Promise<Page>;
}

/** How a browser test is set up. */
export interface StageOptions {
  /** Every standard plugin unless given. */
  readonly plugins?: readonly AnyPlugin[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly scheme?: "light" | "dark";
  /** Pixels; 1280 by 800 unless given. */
  readonly width?: number;
  readonly height?: number;
  /** Errors that the browser reports by itself when it does what is wanted. */
  readonly expected?: RegExp;
}

/** No sandbox, because tests may run as root; nothing that would talk to anybody. */
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

/** Starts Chromium without a window, with `flags` besides its own. */
export async function launchBrowser(
  executablePath: string,
  flags: readonly string[] = [],
): Promise<Browser> {
  return await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/**
 * Starts Chromium as a person has it: with a profile that is kept, and with connections that it opens ahead. A profile
 * of Playwright's own opens none.
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

/** A test with a service and a page; skipped, by name, where there is no Chromium. */
export function browserTest(
  title: string,
  run: (stage: Stage) => Promise<void>,
  options: StageOptions = {},
): void {
  clientTest(title, ["chromium"], async ({ chromium }) => {
    await perform(chromium, { run, options });
  });
}

async function perform(
  executablePath: string,
  about: { run: (stage: Stage) => Promise<void>; options: StageOptions },
): Promise<void> {
  const { plugins, config } = about.options;
  await using service = await startService({
    ...(plugins === undefined ? {} : { plugins }),
    ...(config === undefined ? {} : { config }),
  });
  const browser = await launchBrowser(executablePath);
  try {
    await runOnStage(browser, service, about);
  } finally {
    await browser.close();
  }
}

async function runOnStage(
  browser: Browser,
  service: TestService,
  { run, options }: { run: (stage: Stage) => Promise<void>; options: StageOptions },
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.scheme ?? "light",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const foreign = await watchRequests(context, service.ui.url);
  const problems: string[] = [];
  const newPage = async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && options.expected?.test(text) !== true) problems.push(text);
    });
    return page;
  };
  const page = await newPage();
  await run({
    page,
    service,
    foreign,
    newPage,
    until: (condition) => until(page, condition),
    async open(path) {
      const response = await page.goto(service.ui.url + path);
      // The version is there when everything was fetched.
      await page.locator(".nav-state:has(.dot.live) .nav-version:not(:empty)").first()
        .waitFor({ state: "attached" });
      return response?.status() ?? 0;
    },
  });
  assertEquals(problems, []);
  await context.close();
}

/** Time between two looks, in milliseconds. */
const LOOK_MS = 30;

/** The page's policy forbids the evaluation inside the page that Playwright's own waiting for an expression needs. */
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

async function watchRequests(context: BrowserContext, own: string): Promise<string[]> {
  const foreign: string[] = [];
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${own}/`)) return await route.continue();
    foreign.push(url);
    await route.abort();
  });
  return foreign;
}

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** Sends what `standin demo` sends: something of every provider. */
export async function sendSamples(service: TestService): Promise<void> {
  const args = ["run", "--quiet", "--allow-all", MAIN, "demo", "--url", service.ui.url];
  await runOk(Deno.execPath(), args, { timeoutMs: 60_000 });
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

/** Sends a mail through the mail3 provider and gives its event id. */
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
