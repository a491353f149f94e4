/**
 * An HTML mail reaches no other machine: not by anything it loads, not by a DNS lookup, and not
 * when a link in its frame is pressed. Each way is a separate mail, shown as in the user interface,
 * and in a tab; the browser preconnects like that of a real user.
 */
import { assertEquals } from "@std/assert";
import { launchProfile, sendMail } from "../support/browser.ts";
import { clientTest } from "../support/clients.ts";
import { openOutside, type Outside } from "../support/outside.ts";
// @ts-types="../support/playwright.d.ts"
import type { BrowserContext, Page } from "npm:playwright-core@1.65.1";
import { startService, type TestService } from "../support/service.ts";

/** Ways without interaction; URL is an address of another machine, HOST its name. */
const WAYS: readonly string[] = [
  `<link rel="preconnect" href="URL">`,
  `<link rel="preconnect" crossorigin href="URL">`,
  `<link rel="dns-prefetch" href="URL">`,
  `<link rel="stylesheet preconnect" href="URL">`,
  `<link rel="preconnect" href="https://HOST/">`,
  `<link rel="stylesheet" href="URL">`,
  `<link rel="alternate stylesheet" title="x" href="URL">`,
  `<link rel="modulepreload" href="URL">`,
  `<link rel="preload" as="image" href="URL">`,
  `<link rel="preload" as="image" imagesrcset="URL 1x">`,
  `<link rel="prefetch" href="URL">`,
  `<link rel="prerender" href="URL">`,
  `<link rel="icon" href="URL">`,
  `<link rel="manifest" href="URL">`,
  `<link rel="compression-dictionary" href="URL">`,
  `<link rel="monetization" href="URL">`,
  `<link rel=preconnect href=URL`,
  `<body><div><template shadowrootmode="open"><link rel="preconnect" href="URL"></template></div>`,
  `<noscript><link rel="preconnect" href="URL"></noscript>`,
  `<noscript><p title="</noscript><link rel=preconnect href=URL>">`,
  `<svg><style><b><link rel="preconnect" href="URL"></style></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><link rel=preconnect href=URL>`,
  `<!--><link rel=preconnect href=URL>-->`,
  `<![CDATA[><link rel=preconnect href=URL>]]>`,
  `<svg><![CDATA[<b>]]><link rel=preconnect href=URL>`,
  `<?x ><link rel=preconnect href=URL>`,
  `<xmp><link rel="preconnect" href="URL"></xmp>`,
  `<meta http-equiv="Link" content="<URL>; rel=preconnect">`,
  `<meta http-equiv="refresh" content="0;url=URL">`,
  `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="URL">x</a>`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *; report-uri URL">`,
  `<meta http-equiv="delegate-ch" content="sec-ch-ua URL">`,
  `<meta name="monetization" content="URL">`,
  `<base href="URL"><img src="a"><a href="b">x</a>`,
  `<html manifest="URL">`,
  `<iframe src="URL"></iframe>`,
  `<iframe srcdoc='<link rel="preconnect" href="URL">'></iframe>`,
  `<iframe srcdoc='<iframe src="URL"></iframe>'></iframe>`,
  `<frameset><frame src="URL"></frameset>`,
  `<object data="URL"></object>`,
  `<object data="URL" type="text/html"></object>`,
  `<embed src="URL">`,
  `<applet code="URL" archive="URL"></applet>`,
  `<portal src="URL"></portal>`,
  `<fencedframe config="URL"></fencedframe>`,
  `<script src="URL"></script>`,
  `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["URL"]}]}</script>`,
  `<script type="importmap">{"imports":{"a":"URL"}}</script>`,
  `<script>new Image().src = "URL"</script>`,
  `<img src="x" onerror="this.src = 'URL'">`,
  `<details open ontoggle="fetch('URL')">x</details>`,
  `<img src="URL">`,
  `<img src="https://HOST/">`,
  `<img src="//HOST/a.png">`,
  `<img srcset="URL 1x">`,
  `<img attributionsrc="URL">`,
  `<img lowsrc="URL" dynsrc="URL" longdesc="URL">`,
  `<picture><source srcset="URL"><img></picture>`,
  `<input type="image" src="URL">`,
  `<video src="URL" poster="URL" autoplay></video>`,
  `<video><source src="URL"><track src="URL" default></video>`,
  `<audio src="URL" autoplay></audio>`,
  `<bgsound src="URL">`,
  `<body background="URL">`,
  `<table background="URL"><td>x</table>`,
  `<svg><image href="URL"/></svg>`,
  `<svg><use href="URL#a"/></svg>`,
  `<svg><filter id="f"><feImage href="URL"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  `<svg><script href="URL"></script></svg>`,
  `<style>@import url("URL");</style>`,
  `<style>@import "URL";</style>`,
  `<style>@namespace url("URL");</style>`,
  `<style>@font-face { font-family: x; src: url("URL") } p { font-family: x }</style>`,
  `<style>p { background: url("URL") }</style>`,
  `<style>p::after { content: url("URL") }</style>`,
  `<style>p { --x: url("URL"); background: var(--x) }</style>`,
  `<style>p { background: -webkit-cross-fade(url("URL"), url("URL"), 50%) }</style>`,
  `<style>@media print { p { background: url("URL") } }</style>`,
  `<p style="background-image: image-set('URL' 1x)">x</p>`,
  `<p style="cursor: url(URL), auto">x</p>`,
  `<p style="display: list-item; list-style-image: url(URL)">x</p>`,
  `<p style="border-image: url(URL) 1">x</p>`,
  `<p style="mask-image: url(URL)">x</p>`,
  `<p style="filter: url(URL#f)">x</p>`,
  `<p style="clip-path: url(URL#f)">x</p>`,
  `<p style="float: left; shape-outside: url(URL)">x</p>`,
  `<p style="offset-path: url(URL#a)">x</p>`,
];

const XHTML = `<link xmlns="http://www.w3.org/1999/xhtml" rel="preconnect" href="URL"/>`;
/** Files that a browser shows as pages, by their types. */
const FILES: readonly (readonly [type: string, content: string])[] = [
  ["text/html", `<link rel="preconnect" href="URL">`],
  ["application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml">${XHTML}</html>`],
  ["image/svg+xml; charset=utf-8", `<svg xmlns="http://www.w3.org/2000/svg">${XHTML}</svg>`],
  ["text/xml", `<?xml-stylesheet href="URL"?><a>${XHTML}</a>`],
];

/** Ways that require hovering over `#it`, pressing it, or clicking it. */
const DEEDS: readonly (readonly [deed: "point" | "press" | "click", html: string])[] = [
  ["point", `<a id="it" href="URL">x</a>`],
  ["press", `<a id="it" href="URL">x</a>`],
  ["click", `<a id="it" href="URL">x</a>`],
  ["click", `<a id="it" href="URL" target="_top">x</a>`],
  ["click", `<a id="it" href="URL" target="_blank">x</a>`],
  ["click", `<a id="it" href="URL" download>x</a>`],
  ["click", `<a id="it" href="#x" ping="URL">x</a>`],
  ["click", `<a id="it" href="#x" attributionsrc="URL">x</a>`],
  ["click", `<a id="it" href="javascript:fetch('URL')">x</a>`],
  ["click", `<base href="URL"><a id="it" href="x">x</a>`],
  ["click", `<svg><a href="URL"><text id="it" y="20">x</text></a></svg>`],
  [
    "click",
    `<svg><a href="#"><set attributeName="href" to="URL"/><text id="it" y="20">x</text></a></svg>`,
  ],
  ["click", `<form action="URL"><button id="it">x</button></form>`],
  ["click", `<form action="URL" method="post" target="_blank"><button id="it">x</button></form>`],
  ["click", `<form><button id="it" formaction="URL">x</button></form>`],
  ["point", `<style>p:hover { background: url("URL") }</style><p id="it">x</p>`],
];

clientTest(
  "an HTML mail reaches no other machine, whichever way it tries",
  ["chromium"],
  async ({ chromium }, t) => {
    await using service = await startService();
    const folder = await Deno.makeTempDir();
    using stack = new DisposableStack();
    const open = (name: string) => stack.use(openOutside(name));
    try {
      const log = `${folder}/net.json`;
      const context = await launchProfile(chromium, `${folder}/profile`, [`--log-net-log=${log}`]);
      const tried: (readonly [way: string, outside: Outside])[] = [];
      const control = open("control");
      try {
        tried.push(...await showAll(service, await openUi(context, service), open));
        tried.push(...await showInTabs(service, await context.newPage(), open));
        tried.push(...await showFiles(service, await context.newPage(), open));
        tried.push(...await doAll(service, await openUi(context, service), open));
        await reach(service, await openUi(context, service), control);
      } finally {
        await context.close();
      }
      const looked = await Deno.readTextFile(log);
      // Otherwise the log, or the count, would prove nothing.
      assertEquals([control.count > 0, looked.includes(control.host)], [true, true]);
      for (const [way, { count, host }] of tried) {
        await t.step(way, () => {
          assertEquals({ connections: count, lookedUp: looked.includes(host) }, {
            connections: 0,
            lookedUp: false,
          });
        });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

type Tried = readonly [way: string, outside: Outside];
type Open = (name: string) => Outside;

function write(html: string, { url, host }: Outside): string {
  return `${html.replaceAll("URL", url).replaceAll("HOST", host)}<p id="shown">shown</p>`;
}

async function openUi(context: BrowserContext, service: TestService): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${service.ui.url}/ui/mail/`);
  return page;
}

/** Every way in a frame like that of the user interface. */
async function showAll(service: TestService, page: Page, open: Open): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [index, html] of WAYS.entries()) {
    const outside = open(`frame${index}x`);
    const id = await sendMail(service, { html: write(html, outside) });
    await page.evaluate(`new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "");
      frame.onload = () => done(0);
      frame.src = "/api/v1/mail/messages/${id}/html?cid=1";
      document.body.append(frame);
    })`);
    tried.push([html, outside]);
  }
  return tried;
}

async function showInTabs(service: TestService, page: Page, open: Open): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [index, html] of WAYS.entries()) {
    const outside = open(`tab${index}x`);
    const id = await sendMail(service, { html: write(html, outside) });
    await page.goto(`${service.api.url}/api/v1/mail/messages/${id}/html`);
    tried.push([`in a tab: ${html}`, outside]);
  }
  return tried;
}

async function showFiles(service: TestService, page: Page, open: Open): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [index, [type, content]] of FILES.entries()) {
    const outside = open(`file${index}x`);
    const id = await sendMail(service, {
      attachments: [
        { filename: "a", content: btoa(write(content, outside)), content_type: type },
      ],
    });
    await page.goto(`${service.api.url}/api/v1/mail/messages/${id}/attachments/0?inline=1`);
    tried.push([`an attachment in a tab: ${content}`, outside]);
  }
  return tried;
}

async function doAll(service: TestService, page: Page, open: Open): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [index, [deed, html]] of DEEDS.entries()) {
    const outside = open(`deed${index}x`);
    const id = await sendMail(service, { html: write(html, outside) });
    await page.goto(`${service.ui.url}/ui/mail/?id=${id}`);
    const body = page.frameLocator("iframe");
    await body.locator("#shown").waitFor();
    const it = body.locator("#it");
    if (deed === "click") await it.click();
    else await it.hover();
    if (deed === "press") await page.mouse.down();
    tried.push([`${deed}: ${html}`, outside]);
  }
  return tried;
}

/** The only request that reaches another machine: a picture that the reader requests. */
async function reach(service: TestService, page: Page, control: Outside): Promise<void> {
  const id = await sendMail(service, { html: `<img src="${control.url}">` });
  await page.goto(`${service.ui.url}/ui/mail/?id=${id}`);
  await page.click("text=Load remote images");
  while (control.count === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
