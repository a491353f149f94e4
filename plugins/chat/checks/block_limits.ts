/**
 * Limits of Slack's blocks, elements, composition objects and views, by their pages and the package `@slack/types` 3.2.0.
 * Those of charts and data tables grew after they were published: the largest documented ones count.
 */
import { characters, entries, type Limit } from "./limits.ts";
import type { Placed } from "./walk.ts";

/** Maximum characters of a field of a section, and of ids. */
export const MAX_FIELD = 2000;
export const MAX_ID = 255;
/** Maximum blocks of a message and of a view, and cells in a row of a table. */
export const MAX_BLOCKS = 50;
export const MAX_VIEW_BLOCKS = 100;
export const MAX_CELLS = 20;

const CHART = "blocks/data-visualization-block";
const SERIES = [entries("series", 12, CHART)];
const VIEW = "https://docs.slack.dev/reference/views";
const view = (page: string): readonly Limit[] => [
  characters("title", 24, page),
  characters("submit", 24, page),
  characters("close", 24, page),
  characters("callback_id", 255, page),
  characters("private_metadata", 3000, page),
];
const BUTTON = "block-elements/button-element";
const SELECT = "block-elements/select-menu-element";
const MULTI_SELECT = "block-elements/multi-select-menu-element";
const OPTION = "composition-objects/option-object";
const TEXT = [characters("text", 3000, "composition-objects/text-object")];

const select = (page: string): readonly Limit[] => [
  entries("options", 100, page),
  entries("option_groups", 100, page),
  characters("placeholder", 150, page),
];
const placeholder = (page: string): readonly Limit[] => [characters("placeholder", 150, page)];

/** By the type of a block, element or text. */
const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  actions: [entries("elements", 25, "blocks/actions-block")],
  alert: [characters("text", 200, "blocks/alert-block")],
  area: SERIES,
  bar: SERIES,
  button: [
    characters("text", 75, BUTTON),
    characters("url", 3000, BUTTON),
    characters("value", 2000, BUTTON),
    characters("accessibility_label", 75, BUTTON),
  ],
  card: [
    characters("title", 150, "blocks/card-block"),
    characters("subtitle", 150, "blocks/card-block"),
    characters("body", 200, "blocks/card-block"),
  ],
  carousel: [entries("elements", 10, "blocks/carousel-block")],
  channels_select: placeholder(SELECT),
  checkboxes: [entries("options", 10, "block-elements/checkboxes-element")],
  container: [
    characters("title", 150, "blocks/container-block"),
    characters("subtitle", 150, "blocks/container-block"),
    entries("child_blocks", 10, "blocks/container-block"),
  ],
  context: [entries("elements", 10, "blocks/context-block")],
  context_actions: [entries("elements", 5, "blocks/context-actions-block")],
  conversations_select: placeholder(SELECT),
  data_table: [entries("rows", 201, "blocks/data-table-block")],
  data_visualization: [characters("title", 50, CHART)],
  datepicker: placeholder("block-elements/date-picker-element"),
  email_text_input: placeholder("block-elements/email-input-element"),
  external_select: placeholder(SELECT),
  header: [characters("text", 150, "blocks/header-block")],
  home: view(`${VIEW}/home-tab-views`),
  icon_button: [characters("accessibility_label", 75, "block-elements/icon-button-element")],
  image: [
    characters("alt_text", 2000, "blocks/image-block"),
    characters("title", 2000, "blocks/image-block"),
    characters("image_url", 3000, "blocks/image-block"),
  ],
  input: [
    characters("label", 2000, "blocks/input-block"),
    characters("hint", 2000, "blocks/input-block"),
  ],
  line: SERIES,
  markdown: [characters("text", 12_000, "blocks/markdown-block")],
  modal: view(`${VIEW}/modal-views`),
  mrkdwn: TEXT,
  multi_channels_select: placeholder(MULTI_SELECT),
  multi_conversations_select: placeholder(MULTI_SELECT),
  multi_external_select: placeholder(MULTI_SELECT),
  multi_static_select: select(MULTI_SELECT),
  multi_users_select: placeholder(MULTI_SELECT),
  number_input: placeholder("block-elements/number-input-element"),
  overflow: [entries("options", 5, "block-elements/overflow-menu-element")],
  pie: [entries("segments", 12, CHART)],
  plain_text: TEXT,
  plain_text_input: placeholder("block-elements/plain-text-input-element"),
  radio_buttons: [entries("options", 10, "block-elements/radio-button-group-element")],
  section: [entries("fields", 10, "blocks/section-block")],
  static_select: select(SELECT),
  table: [
    entries("rows", 100, "blocks/table-block"),
    entries("column_settings", 20, "blocks/table-block"),
  ],
  timepicker: placeholder("block-elements/time-picker-element"),
  url_text_input: placeholder("block-elements/url-input-element"),
  users_select: placeholder(SELECT),
  video: [
    // "Must be less than 200 characters", and "less than 50".
    characters("title", 199, "blocks/video-block"),
    characters("author_name", 49, "blocks/video-block"),
    characters("alt_text", 2000, "blocks/video-block"),
  ],
  workflow_button: [
    characters("text", 75, "block-elements/workflow-button-element"),
    characters("accessibility_label", 75, "block-elements/workflow-button-element"),
  ],
};

/** Objects without a type, by where they are. */
const UNTYPED: readonly (readonly [RegExp, readonly Limit[]])[] = [
  [/\.options\[\d+\]$/, [
    characters("text", 75, OPTION),
    characters("description", 75, OPTION),
    characters("value", 150, OPTION),
    characters("url", 3000, OPTION),
  ]],
  [/\.option_groups\[\d+\]$/, [
    characters("label", 75, "composition-objects/option-group-object"),
    entries("options", 100, "composition-objects/option-group-object"),
  ]],
  [/\.confirm$/, [
    characters("title", 100, "composition-objects/confirmation-dialog-object"),
    characters("text", 300, "composition-objects/confirmation-dialog-object"),
    characters("confirm", 30, "composition-objects/confirmation-dialog-object"),
    characters("deny", 30, "composition-objects/confirmation-dialog-object"),
  ]],
  [/\.chart\.(?:series|segments)\[\d+\]$/, [
    characters("name", 20, CHART),
    characters("label", 20, CHART),
    entries("data", 20, CHART),
  ]],
  [/\.chart\.series\[\d+\]\.data\[\d+\]$/, [characters("label", 20, CHART)]],
  [/\.chart\.axis_config$/, [
    entries("categories", 20, CHART),
    characters("x_label", 50, CHART),
    characters("y_label", 50, CHART),
  ]],
  [/\.(?:positive_button|negative_button)$/, [
    characters("accessibility_label", 75, "block-elements/feedback-buttons-element"),
  ]],
];

/** Returns the limits of an object. */
export function limitsOf({ value: { type }, path }: Placed): readonly Limit[] {
  if (typeof type === "string") return Object.hasOwn(LIMITS, type) ? LIMITS[type]! : [];
  return UNTYPED.find(([place]) => place.test(path))?.[1] ?? [];
}
