/** Decoders of templates, formatted texts and bodies of any kind, for `fuzz_targets.ts`. */
import { Refused } from "../../core/result.ts";
import { readFormatted } from "../../plugins/chat/chat4/formats.ts";
import { runsOf } from "../../plugins/chat/formatted.ts";
import { parseHandlebars } from "../../plugins/mail/handlebars.ts";
import { parseJinja } from "../../plugins/mail/jinja.ts";
import { escapeHtml, render, TemplateError } from "../../plugins/mail/template.ts";
import { readContent } from "../../plugins/webhook/body.ts";
import { asUtf8, texts } from "./fuzz_bytes.ts";
import type { FuzzTarget } from "./fuzz_targets.ts";

const MODEL = { name: "Ada", list: [{ a: 1 }, { a: [2] }], params: { name: "x", list: [1, 2] } };

/** Runs a decoder that may refuse its input. */
function refusing(refusal: typeof TemplateError | typeof Refused, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
  }
}

/** By name. */
export const PROVIDER_TARGETS: readonly FuzzTarget[] = [
  {
    name: "templates",
    seeds: texts(
      "{{#each list}}{{@index}}{{a}}{{../name}}{{else}}-{{/each}}{{{name}}}{{!-- x --}}",
      '{% for i in params.list %}{{ i }}{% endfor %}{{ params.no | default : "x" }}{# x #}',
      "{{#if name}}{{^}}{{/if}}{{#with list.0}}{{a}}{{/with}}{{constructor.__proto__}}",
    ),
    run(bytes) {
      const source = asUtf8(bytes);
      for (const parse of [parseHandlebars, parseJinja]) {
        refusing(TemplateError, () => render(parse(source), MODEL, { escape: escapeHtml }));
      }
    },
  },
  {
    name: "telegram-texts",
    seeds: texts(
      '<b>a<i>b</i></b><a href="https://example.org">c</a>&lt;&#128512;',
      "*a _b_* `c` ```js\nd``` [e](https://example.org) ||f|| \\* >g",
    ),
    run(bytes) {
      const source = asUtf8(bytes);
      for (const mode of ["html", "markdown", "markdownv2"]) {
        refusing(Refused, () => {
          const { text, entities } = readFormatted(source, mode);
          for (const { offset, length } of entities) {
            if (offset + length > text.length) throw new Error("An entity ends behind its text");
          }
        });
      }
      for (const markup of ["mrkdwn", "markdown"] as const) runsOf(source, markup);
    },
  },
  {
    name: "webhook-bodies",
    seeds: texts(
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
      "a=1&__proto__=2",
      '{"__proto__":{"a":1}}',
    ),
    run(bytes) {
      for (
        const type of [
          "multipart/form-data; boundary=b",
          "application/x-www-form-urlencoded",
          "application/json; charset=utf-16",
          null,
        ]
      ) {
        readContent(bytes, type);
      }
      if (Object.hasOwn(Object.prototype, "a")) throw new Error("The prototype was changed");
    },
  },
];
