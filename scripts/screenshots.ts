/**
 * `deno run --allow-all scripts/screenshots.ts`: takes the screenshots of the documentation in Chromium, of a program
 * that its own `demo` has filled.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { launchBrowser } from "../tests/support/browser.ts";
import { findProgram, runOk } from "../tests/support/clients.ts";
import type { Browser, Page } from "../tests/support/playwright.d.ts";
import { startProgram } from "../tests/support/program.ts";

const FOLDER = new URL("../docs/images/", import.meta.url);
const MAIN = new URL("../main.ts", import.meta.url).pathname;

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme: "light" | "dark";
  prepare(page: Page): Promise<void>;
}

/** Text of the list entry to open on each tab. */
const OPENED: Readonly<Record<string, string>> = {
  mail: "Your order 2026-0417 is on its way",
  sms: "LOVELACE",
  chat: "deployments",
  files: "invoices",
  s3: "lovelace-books",
  push: "Your parcel is here",
  as2: "Order 881",
  snmp: "linkDown",
  hl7: "ADT^A01",
};

const PICTURES: readonly Picture[] = [
  { name: "overview", path: "/ui/", scheme: "light", prepare: (page) => shows(page, ".feed li") },
  { name: "mail-dark", path: "/ui/mail/", scheme: "dark", prepare: (page) => open(page, "mail") },
  ...STANDARD_PLUGINS.map(({ id }): Picture => ({
    name: id,
    path: `/ui/${id}/`,
    scheme: "light",
    prepare: (page) => open(page, id),
  })),
];

async function shows(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
}

/** Time for pictures and frames to load. */
const SETTLE_MS = 1500;

async function open(page: Page, plugin: string): Promise<void> {
  const entry = page.locator(`main >> text=${OPENED[plugin]}`).first();
  await entry.waitFor();
  await entry.click();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

async function draw(browser: Browser, base: string, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: picture.scheme,
  });
  // References of the samples must never be fetched.
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
  // On the default ports, which the screenshots show.
  await using program = await startProgram({ args: ["serve", "--tls-in-memory"] });
  await runOk(Deno.execPath(), ["run", "--quiet", "--allow-all", MAIN, "demo"], {
    timeoutMs: 60_000,
  });
  const browser = await launchBrowser(chromium);
  try {
    for (const picture of PICTURES) await draw(browser, program.urls.ui!, picture);
  } finally {
    await browser.close();
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main());
