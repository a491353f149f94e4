/** Decoders of templates, formatted texts and bodies of any kind, for `fuzz_targets.ts`. */
import { WireError } from "../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../core/codec/json_lenient.ts";
import { Refused } from "../../core/result.ts";
import { isAllowed, mayResolve, parseOriginPattern } from "../../core/callbacks/allow.ts";
import { inputsOf, missingIn, substitute, valuesOf } from "../../plugins/chat/chat2/card_inputs.ts";
import { readView } from "../../plugins/chat/chat1/modals.ts";
import { readOptions } from "../../plugins/chat/chat1/suggestions.ts";
import { readViewAnswer } from "../../plugins/chat/chat1/view_answers.ts";
import { readFormatted } from "../../plugins/chat/chat4/formats.ts";
import { complete } from "../../plugins/chat/chat4/objects.ts";
import { Params } from "../../plugins/chat/chat4/params.ts";
import { readPost, SENDING } from "../../plugins/chat/chat4/request.ts";
import { runsOf } from "../../plugins/chat/formatted.ts";
import { parseHandlebars } from "../../plugins/mail/handlebars.ts";
import { parseJinja } from "../../plugins/mail/jinja.ts";
import { escapeHtml, render, TemplateError } from "../../plugins/mail/template.ts";
import { readContent } from "../../plugins/webhook/body.ts";
import { asUtf8, texts } from "./fuzz_bytes.ts";
import type { FuzzTarget } from "./fuzz_targets.ts";

const MODEL = { name: "Ada", list: [{ a: 1 }, { a: [2] }], params: { name: "x", list: [1, 2] } };

const LOCAL = [parseOriginPattern("http://localhost:*"), parseOriginPattern("mllp://localhost:*")];

/** Runs a decoder that may refuse its input. */
function refusing(
  refusal: typeof TemplateError | typeof Refused | typeof RangeError,
  work: () => void,
): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
  }
}

/** Returns the members of a JSON text as the parameters of a call. */
function paramsIn(source: string): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  try {
    const value = parseJson(source);
    for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
      params.set(name, typeof member === "string" ? member : JSON.stringify(member));
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  return params;
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
    name: "telegram-content",
    seeds: texts(
      '{"question":"q","options":["a",{"text":"b","media":{"type":"photo","media":"id"}}],"type":"quiz"}',
      '{"rich_message":{"blocks":[{"type":"list","items":[{"blocks":[{"type":"divider"}]}]}]}}',
      '{"title":"t","description":"d","payload":"p","currency":"EUR","prices":[{"label":"l","amount":1}]}',
      '{"business_connection_id":"b","checklist":{"title":"t","tasks":[{"id":1,"text":"x"}]}}',
      '{"latitude":1,"longitude":2,"title":"t","address":"a","emoji":"constructor"}',
      '{"star_count":1,"media":[{"type":"video","media":"id","width":1}],"game_short_name":"g"}',
    ),
    run(bytes) {
      const params = new Params(paramsIn(asUtf8(bytes)), []);
      for (const method of SENDING) {
        refusing(Refused, () => {
          const { kind, result } = readPost(method, params);
          const origin = { seed: "1", seconds: 1, attached: new Map() };
          if (result !== undefined) JSON.stringify(complete(kind, result, origin));
        });
      }
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
  {
    name: "cards",
    seeds: texts(
      '[{"inputs":[{"@type":"TextInput","id":"a","value":"x","isRequired":true}]},{"a":"y"},"{{A.value}}{{b.value}}"]',
      '[{"inputs":[{"@type":"MultichoiceInput","id":"a","isMultiSelect":true,"choices":[{"value":"r"}]}]},{"a":["r"]},"{{a.value}}"]',
      '[{"inputs":[{"@type":"DateInput","id":"a","includeTime":true}]},{"a":"2026-01-31T12:00"},"{{a.value}}"]',
    ),
    run(bytes) {
      let given: unknown;
      try {
        given = JSON.parse(asUtf8(bytes));
      } catch {
        return;
      }
      const [card, values, text] = Array.isArray(given) ? given : [];
      if (!isJsonObject(card) || !isJsonObject(values) || typeof text !== "string") return;
      refusing(RangeError, () => {
        const inputs = inputsOf(card);
        const read = valuesOf(inputs, values);
        missingIn([text], inputs, read);
        for (
          const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]
        ) {
          substitute(text, read, type);
        }
      });
    },
  },
  {
    name: "callback-addresses",
    seeds: texts(
      "http://localhost:3000/a?b",
      "mllp://localhost:2575",
      "http://a:b@localhost/%00",
      "64:ff9b::169.254.169.254",
      "fe80::1%eth0",
    ),
    run(bytes) {
      const text = asUtf8(bytes);
      refusing(RangeError, () => void parseOriginPattern(text));
      mayResolve("app.example", text);
      if (!isAllowed(text, LOCAL)) return;
      const { hostname } = new URL(text);
      if (hostname.toLowerCase() !== "localhost") throw new Error(`Allowed ${hostname}`);
    },
  },
  {
    name: "slack-answers",
    seeds: texts(
      '{"options":[{"text":{"type":"plain_text","text":"A"},"value":"a"}]}',
      '{"option_groups":[{"label":{"type":"plain_text","text":"G"},"options":[{"text":{"type":"plain_text","text":"A"},"value":"a"}]}]}',
      '{"response_action":"errors","errors":{"name":"Too short"}}',
      '{"response_action":"update","view":{"type":"modal","title":{"type":"plain_text","text":"T"},"blocks":[]}}',
      '{"response_action":"clear"}',
    ),
    run(bytes) {
      const offered = readOptions(bytes);
      if (typeof offered !== "string") {
        const { options = [], option_groups: groups = [] } = offered;
        if (options.length + groups.length > 100) throw new Error("More than Slack takes");
      }
      const answer = readViewAnswer(bytes, { name: "Name" });
      if (answer.action !== "update" && answer.action !== "push") return;
      refusing(Refused, () => void readView(JSON.stringify(answer.view ?? null)));
    },
  },
];
