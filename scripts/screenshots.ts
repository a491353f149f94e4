/**
 * `deno run --allow-all scripts/screenshots.ts`: draws the pictures of the README from a running service, in Chromium.
 *
 * @module
 */
import { startCore } from "../core/app/start.ts";
import type { Service } from "../core/app/service.ts";
import { createLogger } from "../core/log.ts";
import { resolveSettings } from "../core/options/resolve.ts";
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { launchBrowser } from "../tests/support/browser.ts";
import { findProgram } from "../tests/support/clients.ts";
import type { Browser, Page } from "../tests/support/playwright.d.ts";
import { ASSETS } from "../ui/assets.ts";
import { SAMPLES, SHOWN_SUBJECT } from "./sample_traffic.ts";

const FOLDER = new URL("../docs/images/", import.meta.url);

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme: "light" | "dark";
  prepare(page: Page): Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: "inbox-light", path: "/ui/mail/", scheme: "light", prepare: openMail },
  { name: "inbox-dark", path: "/ui/mail/", scheme: "dark", prepare: openMail },
  {
    name: "overview",
    path: "/ui/",
    scheme: "light",
    prepare: (page) => page.locator(".feed li").first().waitFor(),
  },
];

async function openMail(page: Page): Promise<void> {
  await page.getByText(SHOWN_SUBJECT, { exact: true }).first().click();
  await page.frameLocator("iframe").locator("h1").waitFor();
}

/** A service whose clock says when each sample came in. */
async function startWithSamples(): Promise<Service> {
  const end = Date.now();
  let now = new Date(end);
  const start = (portsZero: boolean) =>
    startCore(STANDARD_PLUGINS, {
      settings: resolveSettings(STANDARD_PLUGINS, { tree: {}, portsZero }),
      assets: ASSETS,
      log: createLogger({ level: "warn", write: console.error, now: () => new Date() }),
      clock: { now: () => now },
    });
  // The pictures show the usual ports, unless something else listens there.
  const service = await start(false).catch((error) => {
    console.error(`${error.message}. The pictures will show other ports`);
    return start(true);
  });
  for (const { minutesAgo, send } of SAMPLES) {
    now = new Date(end - minutesAgo * 60_000);
    await send(service);
  }
  now = new Date(end);
  return service;
}

async function draw(browser: Browser, base: string, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: picture.scheme,
  });
  // The tracking picture in the sample must not be asked for, even by mistake.
  await context.route(
    "**/*",
    (route) => route.request().url().startsWith(base) ? route.continue() : route.abort(),
  );
  const page = await context.newPage();
  await page.goto(base + picture.path);
  await picture.prepare(page);
  const path = new URL(`${picture.name}.png`, FOLDER).pathname;
  await page.screenshot({ path });
  await context.close();
  console.log(`${path}: ${Math.round((await Deno.stat(path)).size / 1000)} KB`);
}

async function main(): Promise<number> {
  const chromium = findProgram("chromium");
  if (chromium === undefined) {
    console.error("Cannot draw the pictures: Chromium is not installed");
    return 1;
  }
  await Deno.mkdir(FOLDER, { recursive: true });
  await using service = await startWithSamples();
  const browser = await launchBrowser(chromium);
  try {
    for (const picture of PICTURES) await draw(browser, service.ui.url, picture);
  } finally {
    await browser.close();
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main());
