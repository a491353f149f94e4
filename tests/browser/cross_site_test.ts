/** A page of another site learns nothing about captured data, whatever requests it makes. */
import { assert, assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { sendMail } from "../support/browser.ts";
import { EVIL_HOST, foreignSiteTest } from "../support/foreign_site.ts";

const CODE = "Your code is 246813";
/**
 * A search that finds the code, and one that waits in vain: a page could measure the difference.
 */
const FOUND = "/api/v1/events/wait?text=246813&timeout=4s";
const MISSED = "/api/v1/events/wait?text=135792&timeout=4s";

/** Code that makes the page request `url`. */
const WAYS: readonly (readonly [way: string, code: (url: string) => string])[] = [
  ["a picture", (url) => `new Image().src = "${url}"`],
  ["a picture with CORS", (url) => element("img", { crossOrigin: "anonymous", src: url })],
  ["a script", (url) => element("script", { src: url })],
  ["a style sheet", (url) => element("link", { rel: "stylesheet", href: url })],
  ["a prefetch", (url) => element("link", { rel: "prefetch", href: url })],
  ["a preload", (url) => element("link", { rel: "preload", as: "image", href: url })],
  ["a background", (url) => `document.body.style.background = "url(${url})"`],
  ["a video", (url) => element("video", { src: url })],
  ["a frame", (url) => element("iframe", { src: url })],
  ["an object", (url) => element("object", { data: url })],
  ["an embedded page", (url) => element("embed", { src: url })],
  ["fetch without CORS", (url) => `void fetch("${url}", { mode: "no-cors" }).catch(() => {})`],
  ["fetch with CORS", (url) => `void fetch("${url}").catch(() => {})`],
  ["HEAD", (url) => `void fetch("${url}", { mode: "no-cors", method: "HEAD" }).catch(() => {})`],
  ["a beacon", (url) => `navigator.sendBeacon("${url}", "x")`],
  ["an event stream", (url) => `void new EventSource("${url}")`],
  ["a web socket", (url) => `void new WebSocket("${url.replace("http:", "ws:")}")`],
  ["a pop-up", (url) => `void window.open("${url}")`],
  ["a link", (url) => `${link(url)}; document.body.lastChild.click()`],
  ["a form that is sent by GET", (url) => form("get", url)],
  ["a form that is sent by POST", (url) => form("post", url)],
];

function element(name: string, values: Readonly<Record<string, string>>): string {
  return `document.body.append(Object.assign(document.createElement("${name}"), ${
    JSON.stringify(values)
  }))`;
}

function link(url: string): string {
  return element("a", { href: url, target: "_blank", rel: "noopener" });
}

/** A form sent by GET replaces the query of its address, so the query must be in its fields. */
function form(method: string, url: string): string {
  const { searchParams } = new URL(url);
  const fields = [...searchParams].map(([name, value]) => ({ name, value }));
  return `{
    const form = Object.assign(document.createElement("form"), ${
    JSON.stringify({ method, action: url, target: "_blank" })
  });
    for (const field of ${JSON.stringify(fields)}) {
      form.append(Object.assign(document.createElement("input"), field));
    }
    document.body.append(form);
    form.submit();
  }`;
}

for (const [way, code] of WAYS) {
  foreignSiteTest(
    `another site learns nothing with ${way}`,
    async ({ service, page, until }) => {
      await sendMail(service, { text: CODE });
      for (const path of [FOUND, MISSED]) {
        await page.evaluate(code(`${service.api.url}${path}`));
        await until(
          `${way} to ${path} is refused`,
          () => service.rejected.list().some((record) => record.path === path),
        );
      }
      const refused = service.rejected.list().filter(({ path }) => path?.includes("/events/wait"));
      assert(refused.every(({ status }) => status === 403), JSON.stringify(refused));
      assertEquals(new Set(refused.map(({ reason }) => reason)).size, 1);
      assertEquals(service.events.count(), 1);
    },
    { plugins: [mail] },
  );
}

foreignSiteTest(
  "a pop-up of our page ignores a search in its URL, and is out of the opener's reach",
  async ({ service, page, context, until }) => {
    const id = await sendMail(service, { text: CODE });
    const handle = `window.shown = window.open("${service.ui.url}/ui/mail/?search=246813")`;
    await page.evaluate(`void (${handle})`);
    await until("the page is there", () => context.pages().some(isAt("/ui/mail/")));
    const shown = context.pages().find(isAt("/ui/mail/"))!;
    await shown.locator(".row").first().waitFor();
    assertEquals(await page.evaluate<boolean>("window.shown.closed"), true);
    // Links in responses and logs point to an event by its id.
    await page.evaluate(`void window.open("${service.ui.url}/ui/mail/?id=${id}")`);
    await until("the mail is there", () => context.pages().some(isAt(`/ui/mail/?id=${id}`)));
    assertEquals(service.rejected.list(), []);
  },
  { plugins: [mail] },
);

function isAt(path: string) {
  return (page: { url(): string }) => {
    const { pathname, search } = new URL(page.url());
    return pathname + search === path;
  };
}

foreignSiteTest(
  "another port of this machine counts as another site",
  async ({ service, visit, until }) => {
    await sendMail(service, { text: CODE });
    const page = await visit("127.0.0.1");
    await page.evaluate(`new Image().src = "${service.api.url}${FOUND}"`);
    await until("it is refused", () => service.rejected.count > 0);
    assertEquals(service.rejected.list()[0]!.status, 403);
  },
  { plugins: [mail] },
);

foreignSiteTest(
  "a page with a rebound name reads nothing",
  async ({ service, page, until }) => {
    await sendMail(service, { text: CODE });
    const { port } = service.api;
    await page.goto(`http://${EVIL_HOST}:${port}/api/v1/events`).catch(() => null);
    await until("it is refused", () => service.rejected.count > 0);
    const text = await page.evaluate<string>("document.body.textContent");
    assert(!text.includes("246813"), text);
  },
  { plugins: [mail] },
);
