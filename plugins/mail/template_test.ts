import { assertEquals, assertInstanceOf, assertLess, assertThrows } from "@std/assert";
import { parseHandlebars } from "./handlebars.ts";
import { HELPERS } from "./mail2/helpers.ts";
import { parseJinja } from "./jinja.ts";
import { fc } from "../../tests/support/fast_check.ts";
import { assertLinear } from "../../tests/support/growth.ts";
import { escapeHtml, render, TemplateError } from "./template.ts";

const MODEL = {
  name: "Ada & Bob",
  paid: false,
  empty: [],
  address: { city: "London" },
  items: [{ title: "One", tags: ["a", "b"] }, { title: "Two", tags: [] }],
};

function handlebars(source: string, model: unknown = MODEL): string {
  return render(parseHandlebars(source), model, { escape: escapeHtml });
}

const HANDLEBARS: readonly (readonly [source: string, rendered: string])[] = [
  ["plain {text} }}", "plain {text} }}"],
  ["{{name}}|{{ name }}|{{{name}}}|{{&name}}", "Ada &amp; Bob|Ada &amp; Bob|Ada & Bob|Ada & Bob"],
  ["{{address.city}} {{address/city}} {{items.1.title}}", "London London Two"],
  ["{{missing}}{{address.missing.more}}", ""],
  ["{{! note }}{{!-- {{name}} --}}x", "x"],
  ["{{#if paid}}yes{{else}}no{{/if}}{{#unless paid}}!{{/unless}}", "no!"],
  ["{{#if empty}}yes{{^}}no{{/if}}", "no"],
  ["{{#each items}}{{@index}}{{title}}{{#unless @last}}, {{/unless}}{{/each}}", "0One, 1Two"],
  [
    "{{#each items}}{{#each tags}}{{this}}{{.}}{{../title}}{{../../address.city}}{{/each}}{{/each}}",
    "aaOneLondonbbOneLondon",
  ],
  [
    "{{#each address}}{{@key}}={{this}}{{/each}}{{#each empty}}x{{else}}none{{/each}}",
    "city=Londonnone",
  ],
  ["{{#with address}}{{city}}{{/with}}{{#address}}{{city}}{{/address}}", "LondonLondon"],
  ["{{#items}}{{title}}{{/items}}{{^empty}}none{{/empty}}{{^items}}x{{/items}}", "OneTwonone"],
  [
    "{{#if paid}}a{{else if name}}b{{else}}c{{/if}}{{#if paid}}a{{else if empty}}b{{else}}c{{/if}}",
    "bc",
  ],
  ["{{constructor}}{{__proto__}}{{name.length}}{{items.length}}", "2"],
];

for (const [source, rendered] of HANDLEBARS) {
  Deno.test(`Handlebars writes ${source}`, () => assertEquals(handlebars(source), rendered));
}

const SENDGRID: readonly (readonly [source: string, rendered: string])[] = [
  [
    '{{insert name "default=x"}} {{insert none "default=friend"}} {{{insert none "y & z"}}}',
    "Ada &amp; Bob friend y & z",
  ],
  ["{{#equals n '7'}}a{{else}}b{{/equals}}{{#notEquals n 7}}a{{else}}b{{/notEquals}}", "ab"],
  ["{{#greaterThan n 6.5}}a{{/greaterThan}}{{#lessThan n -1}}b{{else}}c{{/lessThan}}", "ac"],
  ["{{#greaterThan none 0}}a{{else}}b{{/greaterThan}}{{#equals none null}}c{{/equals}}", "bc"],
  ["{{#and n name}}a{{/and}}{{#and n empty}}b{{/and}}{{#or empty n}}c{{/or}}", "ac"],
  ["{{#greaterThan (length items) 1}}many{{/greaterThan}}{{#if (length empty)}}x{{/if}}", "many"],
  ["{{#equals n 1}}a{{else equals n 7}}b{{else}}c{{/equals}}", "b"],
  ["{{#each items}}{{#equals this.title 'Two'}}{{@index}}{{../n}}{{/equals}}{{/each}}", "17"],
  ['{{formatDate at "MMMM DD, YYYY h:mm:ss A"}}', "January 01, 2020 11:00:00 PM"],
  ['{{formatDate at "dddd Do [at] HH:mm Z" "-0830"}}', "Wednesday 1st at 14:30 -08:30"],
  ['{{formatDate name "YYYY"}}{{formatDate none "YYYY"}}', "Ada &amp; Bob"],
];

for (const [source, rendered] of SENDGRID) {
  Deno.test(`Handlebars of SendGrid writes ${source}`, () => {
    const model = { ...MODEL, n: 7, at: "2020-01-01T23:00:00.000Z" };
    assertEquals(render(parseHandlebars(source, HELPERS), model, { escape: escapeHtml }), rendered);
  });
}

const JINJA: readonly (readonly [source: string, rendered: string])[] = [
  ["{{ params.name }} & {{params.address.city}}", "Ada & Bob & London"],
  ['{{ params.missing | default : "friend" }}{{ params.name|default("x") }}', "friendAda & Bob"],
  ["{% if params.paid %}a{% else %}b{% endif %}{% if not params.paid %}c{% endif %}", "bc"],
  [
    "{% for item in params.items %}{{ item.title }} {{ params.address.city }};{% endfor %}",
    "One London;Two London;",
  ],
  ["{# note #}p{color:#fff}", "p{color:#fff}"],
];

for (const [source, rendered] of JINJA) {
  Deno.test(`Jinja writes ${source}`, () =>
    assertEquals(render(parseJinja(source), { params: MODEL }), rendered));
}

Deno.test("an error in a template has its position", () => {
  const cases: readonly (readonly [() => unknown, string, number, number])[] = [
    [() => parseHandlebars("a\n{{#if x}}"), 'The block "if" is not closed', 2, 1],
    [() => parseHandlebars("{{/if}}"), 'The block "if" was not opened', 1, 1],
    [() => parseHandlebars("{{#if x}}{{/each}}"), 'The block "if" is closed by "each"', 1, 10],
    [() => parseHandlebars(" {{a"), "The tag is not closed", 1, 2],
    [() => parseHandlebars("{{#loop x}}"), 'The helper "loop" is unknown', 1, 1],
    [
      () => parseHandlebars("{{insert a (b}}", HELPERS),
      '"insert a (b" is not a call of "insert"',
      1,
      1,
    ],
    [() => parseHandlebars("{{> part}}"), "Partials are not supported", 1, 1],
    [() => parseHandlebars("{{a b}}"), '"a b" is not a path of the model', 1, 1],
    [() => parseHandlebars("{{else}}"), "The else is outside any block", 1, 1],
    [() => parseJinja("{% while x %}"), 'The statement "while" is unknown', 1, 1],
    [() => parseJinja("x{% endif %}"), "{% endif %} does not close a block", 1, 2],
    [() => parseJinja("{{ a"), "The tag is not closed", 1, 1],
  ];
  for (const [parse, message, line, column] of cases) {
    const error = assertThrows(parse, TemplateError);
    assertEquals([error.message, error.line, error.column], [message, line, column]);
  }
});

Deno.test("missing values are reported", () => {
  const missing: string[] = [];
  const nodes = parseHandlebars("{{name}} {{a.b}} {{#if c}}{{d}}{{/if}}");
  render(nodes, MODEL, { onMissing: (source) => missing.push(source) });
  assertEquals(missing, ["a.b"]);
});

Deno.test("nested loops and deep blocks end within bounds", () => {
  const list = Array(1000).fill(0);
  const nested = "{{#each this}}{{#each ../this}}{{#each ../../this}}x{{/each}}{{/each}}{{/each}}";
  assertThrows(() => render(parseHandlebars(nested), list), TemplateError, "parts");
  assertThrows(() => parseHandlebars("{{#if a}}".repeat(101)), TemplateError, "deeper");
  assertThrows(() => parseJinja("{% if a %}".repeat(101)), TemplateError, "deeper");
  const long = parseHandlebars("{{#each l}}{{../t}}{{/each}}");
  assertThrows(() => render(long, { l: list, t: "x".repeat(20_000) }), TemplateError, "characters");
});

/** Templates, by size, that take disproportionate time if a parser visits characters more than once. */
const SLOW: Readonly<Record<string, (size: number) => string>> = {
  blanks: (size) => `{{${" ".repeat(10 * size)}x`,
  "blanks in a statement": (size) => `{%${" ".repeat(10 * size)}x`,
  "comments left open": (size) => "{{!-- }}".repeat(size / 2),
  "triples left open": (size) => "{{! {{{ }}".repeat(size / 2),
  "a tag without end": (size) => `{{${"a ".repeat(20 * size)}}}`,
  "a path without end": (size) => `{{${"a.".repeat(20 * size)}a}}`,
  "steps without end": (size) => `{{#if a}}{{${"../".repeat(20 * size)}a}}{{/if}}`,
  "values without end": (size) => "{{a}}".repeat(10 * size),
  "lines before a fault": (size) => `${"\n".repeat(50 * size)}{{/if}}`,
};

for (const [name, source] of Object.entries(SLOW)) {
  Deno.test(`a template of ${name} is read in linear time`, () => {
    for (const parse of [parseHandlebars, parseJinja]) {
      assertLinear((size) => {
        try {
          parse(source(size));
        } catch (error) {
          assertInstanceOf(error, TemplateError);
          assertLess(error.message.length, 200);
        }
      }, 10_000);
    }
  });
}

Deno.test("loops over nothing, long steps and long values end within bounds", () => {
  const list = Array(50_000).fill(0);
  const cases: readonly (readonly [string, (size: number) => unknown])[] = [
    ["{{#each this}}{{#each ../this}}{{/each}}{{/each}}", (size) => list.slice(0, size)],
    ["{{#each this}}{{#each ../this}}{{! x }}{{/each}}{{/each}}", (size) => list.slice(0, size)],
    ["{{#each l}}{{#each ../o}}{{/each}}{{/each}}", (size) => {
      const l = list.slice(0, size);
      return { l, o: Object.assign({}, l) };
    }],
    ["{{t}}", (size) => ({ t: "<".repeat(2000 * size) })],
  ];
  for (const [source, model] of cases) {
    assertLinear((size) => {
      assertThrows(() => handlebars(source, model(size)), TemplateError);
    }, 5000);
  }
  const steps = `{{#each this}}{{${"../".repeat(3000)}a}}{{/each}}`;
  assertLinear((size) => assertEquals(handlebars(steps, list.slice(0, size)), ""), 5000);
});

Deno.test("any text is a template or is refused with its fault", () => {
  const piece = fc.constantFrom(
    "{{",
    "}}",
    "{{{",
    "{%",
    "%}",
    "#each a",
    "#equals a",
    "insert",
    "(length",
    ")",
    "/each",
    "a",
    ".",
    "../",
    "\n",
    "if",
    "endif",
    "else",
    "|",
    '"',
    "!--",
    "{#",
    "#}",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const withHelpers = (source: string) => parseHandlebars(source, HELPERS);
    for (const parse of [parseHandlebars, withHelpers, parseJinja]) {
      try {
        render(parse(pieces.join(" ")), MODEL);
        render(parse(pieces.join("")), MODEL);
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
      }
    }
  }));
});
