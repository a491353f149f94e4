import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const card = (json: object, size = 0): CheckedItem => ({
  provider: "chat2",
  payload: { text: "", contents: [{ format: "chat2.adaptivecard", data: "", json }] },
  raw: { body: " ".repeat(size) },
});
const messageCard = (size: number, json: object = { summary: "S" }): CheckedItem => ({
  provider: "chat2",
  payload: { text: "", contents: [{ format: "chat2.messagecard", data: "", json }] },
  raw: { body: " ".repeat(size) },
});
const withBody = (...body: object[]) => card({ type: "AdaptiveCard", version: "1.5", body });

testTwins(CHECKS, {
  "chat.card_version": {
    bad: card({ type: "AdaptiveCard", version: "1.6" }),
    good: card({ type: "AdaptiveCard", version: "1.4" }),
    says: "up to version 1.5, not 1.6",
  },
  "chat.card_version missing": { bad: card({ type: "AdaptiveCard" }), good: withBody() },
  "chat.card_element": {
    bad: withBody({ type: "TextBlok", text: "a" }),
    good: withBody({ type: "TextBlock", text: "a" }),
    says: "TextBlok",
  },
  "chat.card_element that only Teams has": {
    bad: withBody({ type: "Codeblock", codeSnippet: "a" }),
    good: withBody(
      { type: "CodeBlock", codeSnippet: "a", language: "Bash" },
      {
        type: "Carousel",
        pages: [{ type: "CarouselPage", items: [{ type: "Badge", text: "b" }] }],
      },
      { type: "Chart.Donut", data: [{ legend: "a", value: 1 }] },
    ),
  },
  "chat.card_required": {
    bad: withBody({ type: "Container", items: [{ type: "Image" }] }),
    good: withBody({
      type: "Container",
      items: [{ type: "Image", url: "https://example.org/a.png" }],
    }),
    says: "Image needs url",
  },
  "chat.card_required of an object without a type": {
    bad: withBody({ type: "FactSet", facts: [{ title: "Total" }] }),
    good: withBody({ type: "FactSet", facts: [{ title: "Total", value: "5" }] }),
    says: "Fact needs value",
  },
  "chat.card_member beside a type that is no text": {
    bad: withBody({ type: { toString: null } }, { type: "TextBlock", text: "a", wight: "bolder" }),
    good: withBody({ type: "TextBlock", text: "a", weight: "bolder" }),
    says: 'TextBlock has no "wight"; did you mean "weight"?',
  },
  "chat.card_member": {
    bad: withBody({ type: "TextBlock", text: "Hello", wight: "bolder" }),
    good: withBody({ type: "TextBlock", text: "Hello", weight: "bolder", targetWidth: "wide" }),
    says: 'TextBlock has no "wight"; did you mean "weight"?',
  },
  "chat.card_value": {
    bad: withBody({ type: "TextBlock", text: "Hello", size: "huge" }),
    good: withBody({ type: "TextBlock", text: "Hello", size: "ExtraLarge", color: null }),
    says: 'TextBlock.size is "huge"; expected default, small, medium, large, extraLarge or null',
  },
  "chat.card_value with a word inside another": {
    bad: withBody({ type: "TextBlock", text: "Hello", color: "notgoodatall" }),
    good: withBody({ type: "TextBlock", text: "Hello", color: "GOOD" }),
    says: 'TextBlock.color is "notgoodatall"',
  },
  "chat.card_value of data": {
    bad: withBody({ type: "ActionSet", actions: [{ type: "Action.Submit", data: 5 }] }),
    good: withBody({ type: "ActionSet", actions: [{ type: "Action.Submit", data: { a: 5 } }] }),
    says: "Action.Submit.data is 5; expected string or an object",
  },
  "chat.card_value of another type": {
    bad: withBody({ type: "Container", items: { type: "TextBlock", text: "Hello" } }),
    good: withBody({ type: "Container", items: [{ type: "TextBlock", text: "Hello" }] }),
    says: "expected a list of an object",
  },
  "chat.card_value of a run of text": {
    bad: withBody({ type: "RichTextBlock", inlines: [{ type: "TextRun", text: 5 }] }),
    good: withBody({ type: "RichTextBlock", inlines: ["Hello", { type: "TextRun", text: "5" }] }),
    says: "TextRun.text is 5; expected string",
  },
  "chat.card_value of a target that is an id": {
    bad: withBody({
      type: "ActionSet",
      actions: [{ type: "Action.ToggleVisibility", targetElements: ["one", 2] }],
    }),
    good: withBody({
      type: "ActionSet",
      actions: [{
        type: "Action.ToggleVisibility",
        targetElements: ["one", { elementId: "two", isVisible: true }],
      }],
    }),
    says: "Action.ToggleVisibility.targetElements[1] is 2; expected TargetElement or string",
  },
  "chat.card_required of a target without a type": {
    bad: withBody({
      type: "ActionSet",
      actions: [{ type: "Action.ToggleVisibility", targetElements: ["one", { isVisible: true }] }],
    }),
    good: withBody({
      type: "ActionSet",
      actions: [{ type: "Action.ToggleVisibility", targetElements: ["one", { elementId: "two" }] }],
    }),
    says: "TargetElement needs elementId",
  },
  "chat.card_member of a container": {
    bad: withBody({ type: "Container", items: [], rlt: true }),
    good: withBody({ type: "Container", items: [], rtl: true }),
    says: 'did you mean "rtl"?',
  },
  "chat.card_newer": {
    bad: card({ type: "AdaptiveCard", version: "1.3", refresh: {} }),
    good: card({ type: "AdaptiveCard", version: "1.4", refresh: { action: {} } }),
    says: "AdaptiveCard.refresh came with version 1.4; the card states 1.3",
  },
  "chat.card_submit": {
    bad: card({ type: "AdaptiveCard", version: "1.5", actions: [{ type: "Action.Submit" }] }),
    good: card({
      type: "AdaptiveCard",
      version: "1.5",
      actions: [{ type: "Action.OpenUrl", url: "https://example.org" }],
    }),
  },
  "chat.card_size": {
    bad: card({ type: "AdaptiveCard", version: "1.5" }, 28 * 1024 + 1),
    good: card({ type: "AdaptiveCard", version: "1.5" }, 28 * 1024),
  },
  "chat.card_size of a MessageCard": {
    bad: messageCard(28 * 1024 + 1),
    good: messageCard(28 * 1024),
  },
  "chat.card_summary": {
    bad: messageCard(10, { title: "T", summary: " ", sections: [{ activityTitle: "A" }] }),
    good: messageCard(10, { text: "T" }),
  },
  "chat.card_alt": {
    bad: withBody({ type: "Image", url: "https://example.org/a.png" }),
    good: withBody({ type: "Image", url: "https://example.org/a.png", altText: "A book" }),
  },
  "chat.card_mention": {
    bad: withBody({ type: "TextBlock", text: "Hi <at>Ada</at>" }),
    good: card({
      type: "AdaptiveCard",
      version: "1.5",
      body: [{ type: "TextBlock", text: "Hi <at>Ada</at>" }],
      msteams: { entities: [{ type: "mention", text: "<at>Ada</at>", mentioned: { id: "a" } }] },
    }),
    says: 'no mention with the text "<at>Ada</at>"',
  },
  "chat.card_markup": {
    bad: withBody({ type: "FactSet", facts: [{ title: "A", value: "one<br>two" }] }),
    good: withBody({
      type: "TextBlock",
      text: "**Bold**, [a link](https://example.org)\n\n- a < b",
    }),
    says: "HTML",
  },
  "chat.card_markup in Markdown": {
    bad: withBody({ type: "TextBlock", text: "## Build failed" }),
    good: withBody({ type: "TextBlock", text: "Build #7 failed" }),
    says: "a heading",
  },
}, (id) => id.startsWith("chat.card_"));
