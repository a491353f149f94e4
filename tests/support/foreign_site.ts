/**
 * A page of another site in a real browser, visited while the service is running: its requests, and
 * the visible parts of the responses.
 *
 * @module
 */
import type { AnyPlugin } from "../../core/plugin.ts";
import { shareBrowser } from "./browser.ts";
import { clientTest } from "./clients.ts";
// @ts-types="./playwright.d.ts"
import type { BrowserContext, Page } from "npm:playwright-core@1.65.1";
import { startService, type TestService } from "./service.ts";

/** A name that resolves to this machine, only in the test's browser. */
export const EVIL_HOST = "evil.example";

/** Context of such a test. */
export interface Visit {
  readonly service: TestService;
  /** A page of `http://evil.example`. */
  readonly page: Page;
  readonly context: BrowserContext;
  /** Origin of that page. */
  readonly origin: string;
  /** Waits until a condition holds here. */
  until(what: string, condition: () => boolean): Promise<void>;
  /** Opens another empty page, of the site with this host name, on a separate port; all names lead to this machine. */
  visit(host: string): Promise<Page>;
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** A test with a service and a page of another site; skipped with a message if Chromium is missing. */
export function foreignSiteTest(
  title: string,
  run: (visit: Visit) => Promise<void>,
  options: {
    readonly plugins?: readonly AnyPlugin[];
    readonly config?: Readonly<Record<string, unknown>>;
    /** Settings that depend on where the page comes from. */
    readonly configFor?: (origin: string) => Readonly<Record<string, unknown>>;
  } = {},
): void {
  const browser = shareBrowser("chromium", ["--host-resolver-rules=MAP * 127.0.0.1"]);
  clientTest(title, ["chromium"], async () => {
    await using site = openSite();
    const origin = site.originOf(EVIL_HOST);
    const { plugins, config = options.configFor?.(origin) } = options;
    await using service = await startService({
      ...(plugins === undefined ? {} : { plugins }),
      ...(config === undefined ? {} : { config }),
    });
    const context = await browser().newContext({
      viewport: { width: 800, height: 600 },
      colorScheme: "light",
    });
    try {
      const visit = async (host: string): Promise<Page> => {
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        await page.goto(`${site.originOf(host)}/`);
        return page;
      };
      await run({ service, page: await visit(EVIL_HOST), context, origin, until, visit });
    } finally {
      await context.close();
    }
  });
}

/** Serves an empty page under every name. */
function openSite(): AsyncDisposable & { originOf(host: string): string } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    return new Response("<!doctype html><title>Another site</title>", {
      headers: { "content-type": "text/html" },
    });
  });
  return {
    originOf: (host) => `http://${host}:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`Waited ${PATIENCE_MS} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
