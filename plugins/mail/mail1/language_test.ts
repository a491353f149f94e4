import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { render, TemplateError } from "../template.ts";
import { parseTemplate } from "./language.ts";

const MODEL = {
  var: { name: "ada", n: 7, no: "", order: { items: [{ t: "One" }, { t: "Two" }] } },
  data: { city: "London" },
};

const ROWS: readonly (readonly [source: string, rendered: string])[] = [
  ["plain {x} [y] [[z]] }}", "plain {x} [y] [[z]] }}"],
  ["{{var:name}} {{ var:name }} [[var:name]] [[data:city:x]]", "ada ada ada London"],
  ['{{var:none:"a friend"}}|{{var:no:""}}|{{data:none:x}}', "a friend||x"],
  ["{{Upper(var:name)}}{{Capitalize(var:name)}}{{Escape('<')}}", "ADAAda&lt;"],
  ['{% if var:name == "ada" %}a{% else %}b{% endif %}{% if var:n > 7 %}c{% endif %}', "a"],
  ["{% if var:n < 1 %}a{% elseif var:n >= 7 %}b{% elseif var:n %}c{% else %}d{% endif %}", "b"],
  ['{% if var:no != "" or not var:none:false and (var:n = 7) %}a{% endif %}', "a"],
  ["{% for item in var:order.items %}{{item.t}} {{var:name}};{% endfor %}", "One ada;Two ada;"],
  ['{% for i in var:order.items %}{% if i.t == "Two" %}{{i.t}}{% endif %}{% endfor %}', "Two"],
];

for (const [source, rendered] of ROWS) {
  Deno.test(`the language of Mailjet writes ${source}`, () =>
    assertEquals(render(parseTemplate(source), MODEL), rendered));
}

Deno.test("an error in a template is reported", () => {
  const cases: readonly (readonly [source: string, message: string])[] = [
    ["{{var:none}}", 'The variable "var:none" has no value'],
    ["{% if var:a:1 %}", "{% if %} is not closed"],
    ["{% endfor %}", "{% endfor %} does not close a block"],
    ["{% if 1 %}{% endfor %}", "{% endfor %} does not close a block"],
    ["{% else %}", "{% else %} is outside any block"],
    ["{% for x %}", "{% for x %} is not a loop"],
    ["{% while 1 %}", 'The statement "while" is unknown'],
    ["{{(1}}", '"(1" lacks ")"'],
    ["{{1 2}}", '"1 2" is not an expression'],
    ["{{}}", '"" is not an expression'],
  ];
  for (const [source, message] of cases) {
    const error = assertThrows(() => render(parseTemplate(source), MODEL), TemplateError);
    assertEquals(error.message, message);
  }
  assertThrows(() => parseTemplate("{% if 1 %}".repeat(101)), TemplateError, "deeper");
  assertThrows(() => parseTemplate(`{{${"(".repeat(200)}}}`), TemplateError, "deep");
});

Deno.test("a text full of open tags is read in linear time", () => {
  const source = "{{a [[b {%c ".repeat(300_000);
  assertEquals(render(parseTemplate(source), MODEL), source);
});

Deno.test("any text is a template or is refused", () => {
  const piece = fc.constantFrom(
    ...'{{ }} {% %} [[ ]] if elseif else endif for endfor in var:a var:a:"x" ( ) == and not or 1 " x'
      .split(" "),
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    for (const glue of [" ", ""]) {
      try {
        render(parseTemplate(pieces.join(glue)), MODEL);
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
      }
    }
  }));
});
