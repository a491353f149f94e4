/**
 * Cost of checking a newsletter. The newsletters are made with MJML and with react-email from
 * random sections.
 */
import { parseDocument } from "htmlparser2";
import { CHECKS } from "../../plugins/mail/checks/mod.ts";
import { seededRandom } from "../../core/random.ts";
import { findingsOf } from "../support/checks.ts";
import { median, report } from "./measure.ts";

// Loaded by computed names, so that only this bench downloads them.
const [MJML, REACT, COMPONENTS, RENDER] = [
  "npm:mjml@4.16.1",
  "npm:react@19.3.1",
  "npm:@react-email/components@0.5.7",
  "npm:@react-email/render@1.4.0",
];
type Element = unknown;
const { default: mjml2html } = await import(MJML!) as {
  default: (source: string) => { readonly html: string };
};
const { createElement: h } = await import(REACT!) as {
  createElement: (kind: unknown, props?: object | null, ...children: readonly Element[]) => Element;
};
const { Body, Button, Column, Container, Head, Heading, Html, Img, Preview, Row, Section, Text } =
  await import(COMPONENTS!) as Readonly<Record<string, unknown>>;
const { render } = await import(RENDER!) as { render: (element: Element) => Promise<string> };

const COUNT = 1000;
/** Distinct newsletters; creating one takes longer than checking it. */
const MADE = 100;
const { bits } = seededRandom("newsletters");

const pick = (from: number, to: number) => from + bits() % (to - from + 1);
const WORDS = "the engine weaves algebraic patterns as a loom weaves flowers and leaves".split(" ");
const sentence = (count: number) =>
  Array.from({ length: count }, () => WORDS[pick(0, WORDS.length - 1)]).join(" ");

function newsletterOfMjml(): string {
  const sections = Array.from({ length: pick(3, 12) }, (_, at) => `
    <mj-section background-color="${at % 2 === 0 ? "#ffffff" : "#f4f4f4"}">
      ${
    Array.from({ length: pick(1, 3) }, () =>
      `<mj-column>
        <mj-image width="${pick(80, 300)}px" src="https://example.org/${at}.png" alt="${
        sentence(3)
      }" />
        <mj-text font-size="${pick(12, 24)}px" color="#${pick(100, 999)}">${
        sentence(pick(20, 80))
      }</mj-text>
        <mj-button background-color="#346DB7" href="https://example.org/${at}">Read on</mj-button>
      </mj-column>`).join("")
  }
    </mj-section>`);
  const { html } = mjml2html(
    `<mjml><mj-head><mj-preview>${sentence(8)}</mj-preview></mj-head><mj-body>
    <mj-hero mode="fluid-height" background-url="https://example.org/hero.jpg"><mj-text>${
      sentence(9)
    }</mj-text></mj-hero>
    ${sections.join("")}
    <mj-section><mj-column><mj-divider /><mj-social><mj-social-element name="github" href="https://example.org">GitHub
    </mj-social-element></mj-social><mj-table><tr><th>Book</th><th>Price</th></tr><tr><td>Sketch</td><td>12</td></tr>
    </mj-table></mj-column></mj-section></mj-body></mjml>`,
  );
  return html;
}

async function newsletterOfReact(): Promise<string> {
  const section = (at: number): Element =>
    h(
      Section,
      { key: at, style: { backgroundColor: "#ffffff", borderRadius: "8px" } },
      h(
        Row,
        null,
        ...Array.from({ length: pick(1, 3) }, (_, column) =>
          h(
            Column,
            { key: column },
            h(Img, { src: `https://example.org/${at}.png`, width: "200", alt: sentence(3) }),
            h(
              Text,
              { style: { fontSize: `${pick(12, 20)}px`, lineHeight: "24px" } },
              sentence(pick(20, 80)),
            ),
            h(
              Button,
              { href: "https://example.org", style: { background: "#000", color: "#fff" } },
              "Read on",
            ),
          )),
      ),
    );
  return await render(
    h(
      Html,
      { lang: "en" },
      h(Head),
      h(Preview, null, sentence(8)),
      h(
        Body,
        { style: { fontFamily: "sans-serif" } },
        h(
          Container,
          null,
          h(Heading, null, sentence(5)),
          ...Array.from({ length: pick(3, 12) }, (_, at) => section(at)),
        ),
      ),
    ),
  );
}

const made: string[] = [];
for (let i = 0; i < MADE; i++) {
  made.push(i % 2 === 0 ? newsletterOfMjml() : await newsletterOfReact());
}
const sizes = made.map(({ length }) => length / 1024);
const item = (html: string) => ({
  provider: "mail2",
  payload: { from: { email: "ada@example.org" }, subject: sentence(5), html, text: sentence(30) },
});
const times: number[] = [];
const parses: number[] = [];
let found = 0;
for (let i = 0; i < COUNT; i++) {
  const one = item(made[i % MADE]!);
  const startMs = performance.now();
  found += (await findingsOf(CHECKS, one)).length;
  times.push(performance.now() - startMs);
  const parseMs = performance.now();
  parseDocument(made[i % MADE]!);
  parses.push(performance.now() - parseMs);
}
const middle = median(times);
report(
  "newsletters",
  `${COUNT} of ${MADE}, ${median(sizes).toFixed(0)} KB in the middle, ${
    Math.max(...sizes).toFixed(0)
  } KB at most`,
);
report("findings of each", (found / COUNT).toFixed(1));
report("check, median", `${middle.toFixed(2)} ms`, { text: "< 10 ms", met: middle < 10 });
report("of parsing into a tree", `${(middle / median(parses)).toFixed(1)} times`);
