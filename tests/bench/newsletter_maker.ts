/**
 * Makes newsletters with MJML, Maizzle and react-email, from random sections of each library's own components: reads how
 * many from standard input, prints them as JSON. A separate process, without the lock file of the project.
 *
 * @module
 */
import { type Random, seededRandom } from "../../core/random.ts";

// Loaded by computed names, so that only this script downloads them.
const [MJML, MAIZZLE, REACT, COMPONENTS, RENDER] = [
  "npm:mjml@4.16.1",
  "npm:@maizzle/framework@5.5.0",
  "npm:react@19.3.1",
  "npm:@react-email/components@0.5.7",
  "npm:@react-email/render@1.4.0",
];

/** One newsletter. */
export interface Newsletter {
  readonly library: "mjml" | "maizzle" | "react-email";
  readonly html: string;
}

const WORDS = "the engine weaves algebraic patterns as a loom weaves flowers and leaves".split(" ");

/** Random numbers and texts of one seed. */
class Writer {
  readonly #bits: Random["bits"];

  constructor(seed: string) {
    this.#bits = seededRandom(seed).bits;
  }

  pick(from: number, to: number): number {
    return from + this.#bits() % (to - from + 1);
  }

  sentence(count: number): string {
    return Array.from({ length: count }, () => WORDS[this.pick(0, WORDS.length - 1)]).join(" ");
  }

  some<T>([from, to]: readonly [number, number], make: (at: number) => T): T[] {
    return Array.from({ length: this.pick(from, to) }, (_, at) => make(at));
  }
}

/** Makes newsletters, from each library in turn; every run makes the same ones. */
async function makeNewsletters(count: number): Promise<Newsletter[]> {
  const writer = new Writer("newsletters");
  const makers = [await mjml(), await maizzle(), await reactEmail()];
  const made: Newsletter[] = [];
  for (let at = 0; at < count; at++) made.push(await makers[at % makers.length]!(writer));
  return made;
}

type Maker = (writer: Writer) => Promise<Newsletter>;

async function mjml(): Promise<Maker> {
  const { default: toHtml } = await import(MJML!) as {
    default: (source: string) => { readonly html: string };
  };
  const column = (writer: Writer, at: number) =>
    `<mj-column>
      <mj-image width="${writer.pick(80, 300)}px" src="https://example.org/${at}.png" alt="${
      writer.sentence(3)
    }" />
      <mj-text font-size="${writer.pick(12, 24)}px" color="#${writer.pick(100, 999)}">${
      writer.sentence(writer.pick(20, 80))
    }</mj-text>
      <mj-button background-color="#346DB7" href="https://example.org/${at}">Read on</mj-button>
    </mj-column>`;
  return (writer) => {
    const sections = writer.some([3, 12], (at) => `
      <mj-section background-color="${at % 2 === 0 ? "#ffffff" : "#f4f4f4"}">
        ${writer.some([1, 3], () => column(writer, at)).join("")}
      </mj-section>`);
    const { html } = toHtml(
      `<mjml><mj-head><mj-preview>${writer.sentence(8)}</mj-preview></mj-head><mj-body>
      <mj-hero mode="fluid-height" background-url="https://example.org/hero.jpg"><mj-text>${
        writer.sentence(9)
      }</mj-text></mj-hero>
      ${sections.join("")}
      <mj-section><mj-column><mj-divider /><mj-social>
      <mj-social-element name="github" href="https://example.org">GitHub</mj-social-element></mj-social>
      <mj-table><tr><th>Book</th><th>Price</th></tr><tr><td>Sketch</td><td>12</td></tr></mj-table>
      </mj-column></mj-section></mj-body></mjml>`,
    );
    return Promise.resolve({ library: "mjml", html });
  };
}

/** In the manner of Maizzle's starters: tables with classes of Tailwind, which the framework puts into the elements. */
async function maizzle(): Promise<Maker> {
  const { render } = await import(MAIZZLE!) as {
    render: (template: string, options: object) => Promise<{ readonly html: string }>;
  };
  const row = (writer: Writer, at: number) =>
    `<tr><td class="p-${
      writer.pick(4, 8)
    } bg-white rounded shadow-sm sm:px-6 text-base text-slate-700">
      <h2 class="m-0 mb-4 text-xl sm:leading-8 text-slate-900 font-semibold">${
      writer.sentence(4)
    }</h2>
      <img src="https://example.org/${at}.jpg" width="${writer.pick(200, 600)}" alt="${
      writer.sentence(3)
    }" class="max-w-full align-middle">
      <p class="m-0 mb-6 leading-6">${writer.sentence(writer.pick(20, 80))}</p>
      <a href="https://example.org/${at}" class="inline-block px-6 py-3 text-base rounded font-semibold bg-indigo-700
        text-slate-50 hover:bg-indigo-500 no-underline">Read on</a>
    </td></tr>`;
  return async (writer) => {
    const rows = writer.some([3, 12], (at) => row(writer, at)).join("");
    const page = `<!doctype html><html lang="en" xmlns:v="urn:schemas-microsoft-com:vml"><head>
      <meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
      @media screen { img { max-width: 100% } } @tailwind components; @tailwind utilities;
      </style></head><body class="m-0 p-0 w-full bg-slate-50 font-sans">
      <div class="hidden">${writer.sentence(8)}</div>
      <div role="article" aria-roledescription="email" aria-label="News" lang="en">
      <table class="w-full"><tr><td align="center"><table class="w-150 max-w-full sm:w-full">${rows}
      </table></td></tr></table></div></body></html>`;
    const { html } = await render(page, {
      css: {
        inline: true,
        purge: true,
        shorthand: true,
        tailwind: {
          content: [{ raw: page }],
          theme: { screens: { sm: { max: "600px" } }, extend: { width: { 150: "600px" } } },
        },
      },
    });
    return { library: "maizzle", html };
  };
}

type Element = unknown;

async function reactEmail(): Promise<Maker> {
  const { createElement: h } = await import(REACT!) as {
    createElement: (
      kind: unknown,
      props?: object | null,
      ...children: readonly Element[]
    ) => Element;
  };
  const { Body, Button, Column, Container, Head, Heading, Html, Img, Preview, Row, Section, Text } =
    await import(COMPONENTS!) as Readonly<Record<string, unknown>>;
  const { render } = await import(RENDER!) as { render: (element: Element) => Promise<string> };
  const column = (writer: Writer, { at, key }: { readonly at: number; readonly key: number }) => {
    const style = { fontSize: `${writer.pick(12, 20)}px`, lineHeight: "24px" };
    const dark = { background: "#000", color: "#fff" };
    return h(
      Column,
      { key },
      h(Img, { src: `https://example.org/${at}.png`, width: "200", alt: writer.sentence(3) }),
      h(Text, { style }, writer.sentence(writer.pick(20, 80))),
      h(Button, { href: "https://example.org", style: dark }, "Read on"),
    );
  };
  const section = (writer: Writer, at: number): Element => {
    const style = { backgroundColor: "#ffffff", borderRadius: "8px" };
    const columns = writer.some([1, 3], (key) => column(writer, { at, key }));
    return h(Section, { key: at, style }, h(Row, null, ...columns));
  };
  return async (writer) => {
    const container = h(
      Container,
      null,
      h(Heading, null, writer.sentence(5)),
      ...writer.some([3, 12], (at) => section(writer, at)),
    );
    const body = h(Body, { style: { fontFamily: "sans-serif" } }, container);
    const preview = h(Preview, null, writer.sentence(8));
    const html = await render(h(Html, { lang: "en" }, h(Head), preview, body));
    return { library: "react-email", html };
  };
}

if (import.meta.main) {
  const count = Number(await new Response(Deno.stdin.readable).text());
  const made = JSON.stringify(await makeNewsletters(count));
  await new Blob([made]).stream().pipeTo(Deno.stdout.writable);
  // Libraries may leave handles open.
  Deno.exit();
}
