/**
 * `deno run --allow-all scripts/screenshots.ts`: takes the screenshots of the documentation in
 * Chromium, of a program filled by its own `demo`.
 *
 * @module
 */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { launchBrowser } from "../tests/support/browser.ts";
import { findProgram, runOk } from "../tests/support/clients.ts";
import type { Browser, Page } from "../tests/support/playwright.d.ts";
import { startProgram } from "../tests/support/program.ts";
import { toPalette } from "./palette_png.ts";

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
  sms: "The first copy has been printed",
  chat: "deployments",
  files: "invoices",
  s3: "lovelace-books",
  push: "Your parcel is here",
  as2: "Order 881",
  snmp: "linkDown",
  hl7: "ADT^A01",
  webhook: "orders",
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

/** Messages of a sign-up. */
const SIGN_UP = {
  /**
   * The email has a picture without alternative text, a link to this machine and an unfilled
   * placeholder.
   */
  html:
    `<html lang="en"><body><img src="https://lovelace-books.example/logo.png" width="120"><p>Dear {{name}},</p>
<p>your account is ready. Your code is <b>482913</b>.</p>
<p><a href="http://localhost:3000/welcome">Go to your books</a></p></body></html>`,
  code: "482913 is your code for Lovelace Books",
  note: "A new customer: Ada Lovelace",
};

/** Port of the application for callbacks. */
const APPLICATION_PORT = 3000;

/** Pages about one flow, in a program with callbacks. */
const FLOW_PICTURES: readonly Picture[] = [
  {
    name: "stories",
    path: "/ui/stories/",
    scheme: "light",
    prepare: (page) => choose(page, "Welcome, Ada"),
  },
  {
    name: "checks",
    path: "/ui/mail/",
    scheme: "light",
    prepare: async (page) => {
      await choose(page, "Welcome, Ada");
      await page.locator('[data-tab="checks"]').click();
      await shows(page, ".findings li");
      await settle();
    },
  },
  {
    name: "callbacks",
    path: "/ui/callbacks/",
    scheme: "light",
    prepare: (page) => choose(page, "delivered"),
  },
];

async function shows(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
}

/** Time for pictures and frames to load. */
const SETTLE_MS = 1500;

async function open(page: Page, plugin: string): Promise<void> {
  await choose(page, OPENED[plugin]!);
}

/** Opens the first entry with a text. */
async function choose(page: Page, text: string): Promise<void> {
  const entry = page.locator(`main >> text=${text}`).first();
  await entry.waitFor();
  await entry.click();
  await settle();
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

/** Sends an email, a text message and a note to a channel, as one flow. */
async function signUp(ingress: string): Promise<void> {
  const own = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  const json = { ...own, "content-type": "application/json", authorization: "Bearer SG.any" };
  const account = "AC00000000000000000000000000000000";
  const requests: readonly (readonly [path: string, init: RequestInit])[] = [
    ["/v3/mail/send", {
      headers: json,
      body: JSON.stringify({
        personalizations: [{ to: [{ email: "ada@example.org", name: "Ada Lovelace" }] }],
        from: { email: "shop@lovelace-books.example", name: "Lovelace Books" },
        subject: "Welcome, Ada",
        content: [{ type: "text/html", value: SIGN_UP.html }],
      }),
    }],
    [`/2010-04-01/Accounts/${account}/Messages.json`, {
      headers: { ...own, authorization: `Basic ${btoa(`${account}:any`)}` },
      body: new URLSearchParams({
        To: "+447700900123",
        From: "+447700900999",
        Body: SIGN_UP.code,
        StatusCallback: `http://localhost:${APPLICATION_PORT}/sms/status`,
      }),
    }],
    ["/api/chat.postMessage", {
      headers: json,
      body: JSON.stringify({ channel: "#customers", text: SIGN_UP.note }),
    }],
  ];
  for (const [path, init] of requests) {
    const answer = await fetch(ingress + path, { method: "POST", ...init });
    if (!answer.ok) throw new Error(`Cannot send to ${path}: ${await answer.text()}`);
    await answer.body?.cancel();
  }
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
  await Deno.writeFile(path, toPalette(await Deno.readFile(path)));
  console.log(`${path}: ${Math.round((await Deno.stat(path)).size / 1000)} KB`);
}

async function main(): Promise<number> {
  const chromium = findProgram("chromium");
  if (chromium === undefined) {
    console.error("Cannot draw the pictures: Chromium is not installed");
    return 1;
  }
  await Deno.mkdir(FOLDER, { recursive: true });
  const browser = await launchBrowser(chromium);
  try {
    await drawSamples(browser);
    await drawFlow(browser);
  } finally {
    await browser.close();
  }
  return 0;
}

/** Every tab, with the samples of `demo`. */
async function drawSamples(browser: Browser): Promise<void> {
  // On the default ports, which the screenshots show.
  await using program = await startProgram({ args: ["serve", "--tls-in-memory"] });
  await runOk(Deno.execPath(), ["run", "--quiet", "--allow-all", MAIN, "demo"], {
    timeoutMs: 60_000,
  });
  for (const picture of PICTURES) await draw(browser, program.urls.ui!, picture);
}

async function drawFlow(browser: Browser): Promise<void> {
  await using _application = Deno.serve(
    { hostname: "127.0.0.1", port: APPLICATION_PORT, onListen() {} },
    () => new Response(null, { status: 204 }),
  );
  const webhook = `--callbacks-webhook-mail2=http://localhost:${APPLICATION_PORT}/sendgrid/events`;
  await using program = await startProgram({
    args: ["serve", "--tls-in-memory", "--callbacks", webhook],
  });
  await signUp(program.urls.ingress!);
  for (const picture of FLOW_PICTURES) await draw(browser, program.urls.ui!, picture);
}

if (import.meta.main) Deno.exit(await main());
