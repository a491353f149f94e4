import { assertEquals } from "@std/assert";
import { parseHandlebars } from "./handlebars.ts";
import { parseJinja } from "./jinja.ts";
import { HELPERS } from "./mail2/helpers.ts";
import { TemplateUse } from "./template_use.ts";

type Row = readonly [
  source: string,
  model: unknown,
  missing?: readonly string[] | undefined,
  unused?: readonly string[] | undefined,
];

const HANDLEBARS: readonly Row[] = [
  ["{{name}} {{a.b}}", { name: "Ada", a: { b: 1 } }],
  ["{{name}} {{a.b}} {{a.b}}", { a: {} }, ["name", "a.b"]],
  ["{{name}}", { name: "", nmae: "Ada" }, undefined, ["nmae"]],
  ["{{name}}", { name: null }, ["name"]],
  // Conditions and defaults are for values that may be missing.
  ["{{#if vip}}{{discount}}{{/if}}{{insert name 'default=friend'}}", { discount: 5 }],
  ["{{#unless vip}}x{{else}}{{y}}{{/unless}}{{^none}}{{/none}}", { y: 1 }],
  ["{{formatDate at 'YYYY'}}", {}, ["at"]],
  // A loop over all values reads all, its items do not.
  ["{{#each this}}{{@key}}{{/each}}", { a: 1, b: 2 }],
  [
    "{{#each items}}{{this}}{{title}}{{../shop}}{{/each}}",
    { items: [{ title: 1 }], shop: 2, a: 3 },
    undefined,
    ["a"],
  ],
  ["{{#with order}}{{id}}{{/with}}", { order: { id: 1 }, id: 2 }],
  ["{{unsubscribe}}", {}],
];

for (const [source, model, missing, unused] of HANDLEBARS) {
  Deno.test(`values of ${source} are compared with ${JSON.stringify(model)}`, () => {
    const use = new TemplateUse(/^unsubscribe$/);
    use.render(parseHandlebars(source, HELPERS), model);
    const { template_missing, template_unused } = use.notes(model);
    assertEquals([template_missing, template_unused], [missing, unused]);
  });
}

const JINJA: readonly Row[] = [
  ["{{ params.name }}{% for item in params.items %}{{ item.title }}{% endfor %}", {
    name: 1,
    items: [],
  }],
  ["{{ params.name }}{{ contact.FIRSTNAME }}{{ mirror }}", { age: 1 }, ["params.name"], ["age"]],
  ["{{ params.name | default : 'friend' }}", {}],
  ["{% if params.vip %}{{ params.age }}{% endif %}", { vip: false, age: 36 }],
];

for (const [source, params, missing, unused] of JINJA) {
  Deno.test(`values of ${source} are compared with ${JSON.stringify(params)}`, () => {
    const use = new TemplateUse(/^(?!params\.)/);
    use.render(parseJinja(source), { params, contact: {} });
    const { template_missing, template_unused } = use.notes(params, "params");
    assertEquals([template_missing, template_unused], [missing, unused]);
  });
}

Deno.test("a note has at most 20 names, shortened", () => {
  const use = new TemplateUse();
  const names = Array.from({ length: 30 }, (_, index) => `${"n".repeat(200)}${index}`);
  use.render(parseHandlebars(names.map((name) => `{{${name}}}`).join("")), {});
  const notes = use.notes(Object.fromEntries(names.map((name) => [`x${name}`, 1])));
  for (const list of [notes.template_missing, notes.template_unused]) {
    assertEquals(list!.every((name) => name.length <= 101), true);
  }
  assertEquals(notes.template_unused!.length, 20);
});
