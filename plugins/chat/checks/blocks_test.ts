import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const blocks = (json: unknown, more: object = {}): CheckedItem => ({
  provider: "chat1",
  payload: { text: "Hello", contents: [{ format: "chat1.blocks", data: "", json }] },
  raw: { body: JSON.stringify({ text: "Hello", blocks: json }) },
  ...more,
});
const mrkdwn = (length: number) => ({ type: "mrkdwn", text: "a".repeat(length) });
const plain = (length: number) => ({ type: "plain_text", text: "a".repeat(length) });
const menu = (option: object) => ({ type: "multi_static_select", options: [option] });
const section = (more: object) => ({ type: "section", text: mrkdwn(5), ...more });
/** A view, or old attachments. */
const other = (format: "view" | "attachments", json: unknown): CheckedItem => ({
  provider: "chat1",
  payload: { text: "Hello", contents: [{ format: `chat1.${format}`, data: "", json }] },
});
const cells = (...texts: string[]) => texts.map((text) => ({ type: "raw_text", text }));
const table = (rows: unknown[], more: object = {}) => ({
  type: "data_table",
  caption: "Sales",
  rows,
  ...more,
});
const bar = (...values: string[]) => ({
  type: "data_visualization",
  title: "Sales",
  chart: {
    type: "bar",
    series: [{ name: "Web", data: values.map((label) => ({ label, value: 1 })) }],
    axis_config: { categories: ["Mon", "Tue"] },
  },
});

testTwins(CHECKS, {
  "chat.block_limit of a text": {
    bad: blocks([section({ text: { type: "mrkdwn", text: "a".repeat(3001) } })]),
    good: blocks([section({ text: { type: "mrkdwn", text: "a".repeat(3000) } })]),
    says: "3001 characters; at most 3000",
  },
  "chat.block_limit of a field": {
    bad: blocks([section({ fields: [{ type: "mrkdwn", text: "a".repeat(2001) }] })]),
    good: blocks([section({ fields: [{ type: "mrkdwn", text: "a".repeat(2000) }] })]),
  },
  "chat.block_limit of elements": {
    bad: blocks([{ type: "context", elements: Array(11).fill({ type: "mrkdwn", text: "a" }) }]),
    good: blocks([{ type: "context", elements: Array(10).fill({ type: "mrkdwn", text: "a" }) }]),
    says: "11 entries; at most 10",
  },
  "chat.block_limit of a nested button": {
    bad: blocks([
      section({
        accessory: { type: "button", text: { type: "plain_text", text: "a".repeat(76) } },
      }),
    ]),
    good: blocks([
      section({ accessory: { type: "button", text: { type: "plain_text", text: "Go" } } }),
    ]),
  },
  "chat.block_limit of a card in a carousel": {
    bad: blocks([{ type: "carousel", elements: [{ type: "card", body: mrkdwn(201) }] }]),
    good: blocks([{ type: "carousel", elements: [{ type: "card", body: mrkdwn(200) }] }]),
    says: "201 characters; at most 200",
  },
  "chat.block_limit of a container": {
    bad: blocks([{ type: "container", child_blocks: Array(11).fill({ type: "divider" }) }]),
    good: blocks([{ type: "container", child_blocks: Array(10).fill({ type: "divider" }) }]),
  },
  "chat.block_limit of a row of a table": {
    bad: blocks([{ type: "table", rows: [Array(21).fill({ type: "raw_text", text: "a" })] }]),
    good: blocks([{ type: "table", rows: [Array(20).fill({ type: "raw_text", text: "a" })] }]),
    says: "21 entries; at most 20",
  },
  "chat.block_limit of the rows of a table": {
    bad: blocks([{ type: "table", rows: Array(101).fill([]) }]),
    good: blocks([{ type: "table", rows: Array(100).fill([]) }]),
  },
  "chat.block_limit of an option": {
    bad: blocks([{ type: "actions", elements: [menu({ text: plain(76), value: "a" })] }]),
    good: blocks([{ type: "actions", elements: [menu({ text: plain(75), value: "a" })] }]),
    says: "76 characters; at most 75",
  },
  "chat.block_limit of a dialog": {
    bad: blocks([section({ accessory: { type: "button", confirm: { deny: plain(31) } } })]),
    good: blocks([section({ accessory: { type: "button", confirm: { deny: plain(30) } } })]),
    says: "31 characters; at most 30",
  },
  "chat.block_limit of Markdown": {
    bad: blocks([{ type: "markdown", text: "a".repeat(12_001) }]),
    good: blocks([{ type: "markdown", text: "a".repeat(12_000) }]),
  },
  "chat.block_limit of a message": {
    bad: blocks(Array(51).fill({ type: "divider" })),
    good: blocks(Array(50).fill({ type: "divider" })),
  },
  "chat.block_limit of an id": {
    bad: blocks([section({ block_id: "a".repeat(256) })]),
    good: blocks([section({ block_id: "a".repeat(255) })]),
  },
  "chat.block_limit of Markdown blocks together": {
    bad: blocks([7000, 5001].map((length) => ({ type: "markdown", text: "a".repeat(length) }))),
    good: blocks([7000, 5000].map((length) => ({ type: "markdown", text: "a".repeat(length) }))),
    says: "12001 characters in all Markdown blocks",
  },
  "chat.block_limit of an empty section": {
    bad: blocks([{ type: "section" }]),
    good: blocks([{ type: "section", fields: [plain(1)] }]),
    says: "needs text or fields",
  },
  "chat.block_limit of tables": {
    bad: blocks([
      { type: "table", rows: [] },
      { type: "container", child_blocks: [{ type: "table", rows: [] }] },
    ]),
    good: blocks([{ type: "container", child_blocks: [{ type: "table", rows: [] }] }]),
    says: "More than one table",
  },
  "chat.block_limit of the rows of a data table": {
    bad: blocks([table(Array(202).fill(cells("a")))]),
    good: blocks([table(Array(201).fill(cells("a")))]),
    says: "202 entries; at most 201",
  },
  "chat.block_limit of a data table without rows": {
    bad: blocks([table([cells("a")])]),
    good: blocks([table([cells("a"), cells("b")], { page_size: 100 })]),
    says: "a header and at least one more",
  },
  "chat.block_limit of an uneven data table": {
    bad: blocks([table([cells("a", "b"), cells("c")])]),
    good: blocks([table([cells("a", "b"), cells("c", "d")])]),
    says: "1 cells; the header has 2",
  },
  "chat.block_limit of the header of a data table": {
    bad: blocks([table([[{ type: "rich_text", elements: [] }], cells("c")])]),
    good: blocks([table([cells("c"), [{ type: "rich_text", elements: [] }]])]),
    says: "cannot be rich text",
  },
  "chat.block_limit of the text of a data table": {
    bad: blocks([table([cells("a"), cells("b".repeat(10_000))])]),
    good: blocks([table([cells("a"), cells("b".repeat(9999))])]),
    says: "10001 characters in all cells",
  },
  "chat.block_limit of a page of a data table": {
    bad: blocks([table([cells("a"), cells("b")], { page_size: 101 })]),
    good: blocks([table([cells("a"), cells("b")], { page_size: 1 })]),
    says: "101; expected 1 to 100",
  },
  "chat.block_limit of a data table without a caption": {
    bad: blocks([table([cells("a"), cells("b")], { caption: undefined })]),
    good: blocks([table([cells("a"), cells("b")])]),
    says: "needs a caption",
  },
  "chat.block_limit of a chart": {
    bad: blocks([bar("Mon")]),
    good: blocks([bar("Mon", "Tue")]),
    says: "one value for each category",
  },
  "chat.block_limit of the title of a chart": {
    bad: blocks([{ ...bar("Mon", "Tue"), title: "a".repeat(51) }]),
    good: blocks([{ ...bar("Mon", "Tue"), title: "a".repeat(50) }]),
    says: "51 characters; at most 50",
  },
  "chat.block_limit of a label of a chart": {
    bad: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: [{ label: "a".repeat(21), value: 1 }] },
    }]),
    good: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: [{ label: "a".repeat(20), value: 1 }] },
    }]),
    says: "21 characters; at most 20",
  },
  "chat.block_limit of a label beside a value that is no number": {
    bad: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: [{ label: "a".repeat(21), value: { toString: null } }] },
    }]),
    good: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: [{ label: "a".repeat(20), value: 1 }] },
    }]),
    says: "21 characters; at most 20",
  },
  "chat.block_limit of a segment of a chart": {
    bad: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: [{ label: "a", value: 0 }] },
    }]),
    good: blocks([{
      type: "data_visualization",
      title: "Pie",
      chart: { type: "pie", segments: Array(12).fill({ label: "a", value: 0.5 }) },
    }]),
    says: "must be positive",
  },
  "chat.block_limit of a chart of another type": {
    bad: blocks([{ type: "data_visualization", title: "Donut", chart: { type: "donut" } }]),
    good: blocks([bar("Mon", "Tue"), bar("Tue", "Mon")]),
    says: "pie, bar, area or line",
  },
  "chat.block_limit of charts": {
    bad: blocks([bar("Mon", "Tue"), bar("Mon", "Tue"), bar("Mon", "Tue")]),
    good: blocks([bar("Mon", "Tue"), bar("Mon", "Tue")]),
    says: "More than 2 charts",
  },
  "chat.block_limit of the author of a video": {
    bad: blocks([{ type: "video", author_name: "a".repeat(50), title: plain(199) }]),
    good: blocks([{ type: "video", author_name: "a".repeat(49), title: plain(199) }]),
  },
  "chat.block_limit of a view": {
    bad: other("view", { type: "modal", title: plain(25), blocks: [] }),
    good: other("view", {
      type: "modal",
      title: plain(24),
      private_metadata: "a".repeat(3000),
      blocks: Array(100).fill({ type: "divider" }),
    }),
    says: "25 characters; at most 24",
  },
  "chat.block_limit of an alert": {
    bad: other("view", { type: "modal", blocks: [{ type: "alert", text: plain(201) }] }),
    good: other("view", { type: "modal", blocks: [{ type: "alert", text: plain(200) }] }),
  },
  "chat.block_limit of files": {
    bad: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "file_input", max_files: 11 } }],
    }),
    good: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "file_input", max_files: 10 } }],
    }),
    says: "11; expected 1 to 10",
  },
  "chat.block_limit of lines": {
    bad: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "rich_text_input", max_lines: 101 } }],
    }),
    good: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "rich_text_input", max_lines: 100 } }],
    }),
    says: "101; expected 1 to 100",
  },
  "chat.block_limit of a shortest text": {
    bad: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "plain_text_input", min_length: 3001 } }],
    }),
    good: other("view", {
      type: "modal",
      blocks: [{ type: "input", element: { type: "plain_text_input", min_length: 3000 } }],
    }),
    says: "3001; expected 0 to 3000",
  },
  "chat.block_limit of an attachment": {
    bad: other("attachments", [{ blocks: [{ type: "header", text: plain(151) }] }]),
    good: other("attachments", [
      { actions: [{ type: "button", text: "a".repeat(80) }] },
      { blocks: [{ type: "header", text: plain(150) }] },
    ]),
    says: "151 characters; at most 150",
  },
  "chat.block_type": {
    bad: blocks([{ type: "sectoin", text: plain(5) }]),
    good: blocks([{ type: "plan", title: "Steps", tasks: [{ type: "task_card" }] }]),
    says: 'no block "sectoin"',
  },
  "chat.block_type of an alert": {
    bad: blocks([{ type: "alert", text: plain(5) }]),
    good: other("view", { type: "modal", blocks: [{ type: "alert", text: plain(5) }] }),
    says: "for modals",
  },
  "chat.image_alt": {
    bad: blocks([{ type: "image", image_url: "https://example.org/a.png" }]),
    good: blocks([{ type: "image", image_url: "https://example.org/a.png", alt_text: "A book" }]),
  },
  "chat.block_id": {
    bad: blocks([section({ block_id: "a" }), section({ block_id: "a" })]),
    good: blocks([section({ block_id: "a" }), section({ block_id: "b" })]),
  },
}, (id) => /^chat\.(?:block_|image_alt$)/.test(id));
