/**
 * The user interface with 10 000 events in headless Chromium: first paint compared with a page of
 * one line, long tasks, and the frame interval while scrolling compared with a trivial list.
 * Skipped without Chromium.
 */
import type { CapturedEvent } from "../../core/events/event.ts";
import { findProgram } from "../support/clients.ts";
import { launchBrowser, sendMail } from "../support/browser.ts";
import { startService, type TestService } from "../support/service.ts";
import { median, report } from "./measure.ts";

const HELD = 10_000;
const RUNS = 7;
/** Number of frames of scrolling. */
const FRAMES = 150;
/** Pixels scrolled per frame. */
const STEP = 700;
/** Number of events that arrive while a page is open, and their interval in milliseconds. */
const ARRIVALS = 100;
const ARRIVAL_MS = 20;

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["newPage"]>>;

const WINDOW = {
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
  permissions: [],
} as const;

/** Records tasks longer than 50 ms (W3C Long Tasks) from the start of the page. */
const NOTE_LONG_TASKS = `globalThis.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });`;

/** Time of the first paint, and of the end of module evaluation. */
const FIRST_PAINT = `new Promise((resolve) => {
  const [{ domContentLoadedEventEnd: ready }] = performance.getEntriesByType("navigation");
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint !== undefined) resolve({ paint: paint.startTime, ready });
  }).observe({ type: "paint", buffered: true });
})`;

/** Scrolls an element step by step, and returns the frame intervals. */
const scroll = (selector: string) =>
  `new Promise((resolve) => {
  const box = document.querySelector(${JSON.stringify(selector)});
  const times = [];
  let last;
  const draw = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    box.scrollTop += ${STEP};
    if (times.length < ${FRAMES}) requestAnimationFrame(draw);
    else resolve(times);
  };
  requestAnimationFrame(draw);
})`;

async function fill(service: TestService): Promise<CapturedEvent> {
  const sample = service.events.get(await sendMail(service));
  if (sample === undefined) throw new Error("Sent a mail: it is not held");
  for (let i = 1; i < HELD; i++) arrive(service, sample, i);
  return sample;
}

function arrive(service: TestService, sample: CapturedEvent, number: number): void {
  const { plugin, provider, type, raw, meta } = sample;
  const subject = `Your order ${number} is on its way`;
  service.events.add(plugin, provider, {
    type,
    summary: `hello@example.com -> ada@example.org: ${subject}`,
    summary_parts: { ...sample.summary_parts, title: subject },
    meta,
    payload: { ...sample.payload as Record<string, unknown>, subject },
    raw,
  });
}

/** Milliseconds since the navigation began. */
interface Begin {
  readonly paint: number;
  readonly ready: number;
}

async function begin(browser: Browser, url: string): Promise<{ cold: Begin; warm: Begin }> {
  const cold: Begin[] = [];
  const warm: Begin[] = [];
  for (let i = 0; i < RUNS; i++) {
    const context = await browser.newContext(WINDOW);
    const page = await context.newPage();
    for (const times of [cold, warm]) {
      await page.goto(url);
      times.push(await page.evaluate<Begin>(FIRST_PAINT));
    }
    await context.close();
  }
  const middle = (times: readonly Begin[]) => ({
    paint: median(times.map(({ paint }) => paint)),
    ready: median(times.map(({ ready }) => ready)),
  });
  return { cold: middle(cold), warm: middle(warm) };
}

async function measurePaint(browser: Browser, service: TestService): Promise<void> {
  await using hello = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("<!DOCTYPE html><p>Hello", { headers: { "content-type": "text/html" } }),
  );
  const base = (await begin(browser, `http://127.0.0.1:${hello.addr.port}/`)).cold.paint;
  report("first paint, a page of one line", `${base.toFixed(0)} ms`);
  for (const path of ["/ui/", "/ui/events/", "/ui/mail/"]) {
    const { cold, warm } = await begin(browser, service.ui.url + path);
    const aim = { text: "< 300 ms", met: cold.paint < 300 };
    report(`first paint, ${path}, nothing cached`, `${cold.paint.toFixed(0)} ms`, aim);
    report("  against a page of one line", (cold.paint / base).toFixed(1));
    report("  every module has run", `${cold.ready.toFixed(0)} ms`);
    report(
      "  both, when it was seen before",
      `${warm.paint.toFixed(0)} / ${warm.ready.toFixed(0)} ms`,
    );
  }
}

const longest = (tasks: readonly number[]) =>
  tasks.length === 0 ? "none" : `${tasks.length}, ${Math.max(...tasks).toFixed(0)} ms`;

const at = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? NaN;

async function measureList(page: Page, about: { url: string; path: string; row: string }) {
  await page.goto("about:blank");
  await page.evaluate(
    `document.body.innerHTML = '<div id="box" style="height:700px;overflow:auto"><div style="height:' +
      ${HELD * 62} + 'px"></div></div>'`,
  );
  const bare = await page.evaluate<number[]>(scroll("#box"));
  await page.goto(about.url + about.path);
  await page.evaluate(NOTE_LONG_TASKS);
  await page.locator(about.row).first().waitFor();
  await page.locator(".nav-state:has(.dot.live)").first().waitFor({ state: "attached" });
  report(`${about.path}, tasks over 50 ms to the list`, longest(await page.evaluate("tasks")));
  await page.evaluate("void (tasks.length = 0)");
  const times = await page.evaluate<number[]>(scroll(".list-box"));
  const [p50, p95] = [at(times, 0.5), at(times, 0.95)];
  report("  scrolled: time of a frame, median, 95th", `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`, {
    text: "< 20 ms",
    met: p95 < 20,
  });
  report("  95th against a list of nothing", (p95 / at(bare, 0.95)).toFixed(2));
  report("  tasks over 50 ms while scrolled", longest(await page.evaluate("tasks")));
  await page.evaluate("void (tasks.length = 0)");
}

async function measureArrivals(page: Page, service: TestService, sample: CapturedEvent) {
  for (let i = 0; i < ARRIVALS; i++) {
    arrive(service, sample, HELD + i);
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL_MS));
  }
  report(`  tasks over 50 ms, ${ARRIVALS} arrivals`, longest(await page.evaluate("tasks")));
}

const chromium = findProgram("chromium");
if (chromium === undefined) {
  report("not measured", "no chromium");
} else {
  await using service = await startService({ config: { storage: { capacity: HELD } } });
  const browser = await launchBrowser(chromium);
  try {
    await measurePaint(browser, service);
    const sample = await fill(service);
    const page = await (await browser.newContext(WINDOW)).newPage();
    for (
      const list of [
        { path: "/ui/events/", row: ".event-row" },
        { path: "/ui/mail/", row: ".mail-row" },
      ]
    ) {
      await measureList(page, { url: service.ui.url, ...list });
      await measureArrivals(page, service, sample);
    }
  } finally {
    await browser.close();
  }
}
