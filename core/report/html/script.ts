/** Script of the page: searching, and opening all items. The page also works without it. */
export const SCRIPT = `
"use strict";
const items = [...document.querySelectorAll("details.item")];
const texts = new Map();
const textOf = (item) => {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return texts.get(item);
};
const field = document.getElementById("search");
const only = document.getElementById("only");
const count = document.getElementById("count");
const show = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const item of items) {
    const fits = (!only.checked || "findings" in item.dataset) &&
      words.every((word) => textOf(item).includes(word));
    item.hidden = !fits;
    if (fits) shown++;
  }
  count.textContent = shown === items.length ? "" : shown + " of " + items.length;
};
field.addEventListener("input", show);
only.addEventListener("change", show);
document.getElementById("open").addEventListener("click", () => {
  const closed = items.some((item) => !item.hidden && !item.open);
  for (const item of items) if (!item.hidden) item.open = closed;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === field) return;
  event.preventDefault();
  field.focus();
});
const reveal = () => {
  const item = document.getElementById(location.hash.slice(1));
  if (item instanceof HTMLDetailsElement) item.open = true;
};
addEventListener("hashchange", reveal);
reveal();
document.getElementById("tools").hidden = false;
show();
`;
