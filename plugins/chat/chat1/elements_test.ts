import { assertEquals, assertThrows } from "@std/assert";
import { elementsOf, findElement, keyOf, nameBlocks, schemaOf, stateOf } from "./elements.ts";

const text = (text: string) => ({ type: "plain_text", text });
const option = (value: string) => ({ text: text(value.toUpperCase()), value });

function read(blocks: unknown) {
  return elementsOf(nameBlocks(blocks));
}

Deno.test("elements of all blocks are found, and missing ids are added", () => {
  const all = read([
    { type: "divider" },
    { type: "actions", elements: [{ type: "button", text: text("Go") }, { type: "image" }] },
    { type: "section", block_id: "s", accessory: { type: "datepicker", action_id: "d" } },
    { type: "input", label: text("Name"), element: { type: "plain_text_input" } },
  ]);
  assertEquals(
    all.map(({ block_id, action_id, label, acts, isRequired }) => [
      `${block_id}/${action_id}`,
      label,
      acts,
      isRequired,
    ]),
    [
      ["b1/a0", "Go", true, false],
      ["s/d", "d", true, false],
      ["b3/a0", "Name", false, true],
    ],
  );
  assertEquals(all.map((one) => keyOf(one, all)), ["b1/a0", "d", "b3/a0"]);
  assertEquals(findElement(all, "s"), all[1]!);
  assertThrows(
    () => findElement(all, "a0"),
    RangeError,
    'Cannot find element "a0": expected one of b1/a0, d, b3/a0',
  );
});

Deno.test("a state has a value for every element, and any id is treated as an id only", () => {
  const input = (block_id: string, element: object) => ({
    type: "input",
    block_id,
    label: text(block_id),
    element,
  });
  const all = read([
    input("__proto__", { type: "plain_text_input", action_id: "polluted" }),
    input("constructor", { type: "number_input", action_id: "__proto__", initial_value: "1" }),
    input("f", { type: "file_input", action_id: "f" }),
    input("r", { type: "rich_text_input", action_id: "r" }),
  ]);
  const state = stateOf(all, { polluted: "yes", r: "rich" });
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
  assertEquals(
    JSON.stringify(state),
    '{"__proto__":{"polluted":{"type":"plain_text_input","value":"yes"}},' +
      '"constructor":{"__proto__":{"type":"number_input","value":"1"}},' +
      '"f":{"f":{"type":"file_input","files":[]}},' +
      '"r":{"r":{"type":"rich_text_input","rich_text_value":{"type":"rich_text","elements":' +
      '[{"type":"rich_text_section","elements":[{"type":"text","text":"rich"}]}]}}}}',
  );
});

Deno.test("values that an element cannot have are refused by name", () => {
  const rows: [object, unknown, string][] = [
    [{ type: "plain_text_input", max_length: 2 }, "abc", "expected 0 to 2 characters, not 3"],
    [{ type: "plain_text_input" }, 7, "expected text"],
    [{ type: "email_text_input" }, "ada", "expected an email address"],
    [{ type: "url_text_input" }, "javascript:alert(1)", "expected an address"],
    [
      { type: "number_input", is_decimal_allowed: false, min_value: "1", max_value: "5" },
      "9",
      'expected an integer from 1 to 5, not "9"',
    ],
    [{ type: "number_input", is_decimal_allowed: true }, "1,5", "expected a number"],
    [
      { type: "static_select", options: [option("a")] },
      "b",
      '"b" is not an option; expected one of a',
    ],
    [{ type: "static_select", options: [option("a")] }, ["a"], "expected the value of an option"],
    [
      { type: "multi_static_select", options: [option("a"), option("b")], max_selected_items: 1 },
      ["a", "b"],
      "expected at most 1 options",
    ],
    [{ type: "multi_users_select" }, [1], "expected a list of strings"],
    [{ type: "datepicker" }, "2026-02-31x", "expected a date"],
    [{ type: "timepicker" }, "24:00", "expected a time"],
    [{ type: "datetimepicker" }, "soon", "expected Unix seconds"],
    [{ type: "file_input" }, ["a.txt"], "expected files as {"],
  ];
  for (const [element, value, problem] of rows) {
    const all = read([{
      type: "input",
      label: text("Field"),
      element: { ...element, action_id: "e" },
    }]);
    assertThrows(
      () => stateOf(all, { e: value }),
      RangeError,
      `Cannot fill in "Field": ${problem}`,
      JSON.stringify(element),
    );
  }
});

Deno.test("a schema lists the options, grouped ones included, and the initial choice", () => {
  const [menu] = read([{
    type: "section",
    text: text("Size"),
    accessory: {
      type: "static_select",
      option_groups: [{ options: [option("a")] }, { options: [option("b")] }],
      initial_option: option("b"),
    },
  }]);
  assertEquals(schemaOf(menu!), {
    title: "Size",
    type: "string",
    oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }],
    default: "b",
  });
});

Deno.test("invalid blocks have no elements", () => {
  for (
    const blocks of [
      null,
      "x",
      {},
      [null, 1, "x", []],
      [{ type: "actions", elements: {} }],
      [{ type: "actions", elements: [null, { type: 7 }, { type: "__proto__" }] }],
      [{ type: "input" }],
      [{ type: "section", accessory: [] }],
    ]
  ) assertEquals(read(blocks), []);
});
