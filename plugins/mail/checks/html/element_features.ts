/** Features of caniemail.com used by an element. */
import type { HtmlAttribute, HtmlElement } from "./document.ts";
import type { Use } from "./style_features.ts";

/**
 * Elements that share a feature; any other element uses the feature of its name, if there is one.
 */
const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [tag, "html-h1-h6"] as const),
  ...["ul", "ol", "dl"].map((tag) => [tag, "html-lists"] as const),
  ...("article aside details figcaption figure footer header main mark nav section summary time"
    .split(" "))
    .map((tag) => [tag, "html-semantics"] as const),
  ["map", "html-image-maps"],
  ["embed", "html-object"],
  ["input", ""],
  ["button", ""],
  ["meta", ""],
]);

const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ...("align background cellpadding cellspacing dir height hidden lang popover required role target valign width " +
    "aria-describedby aria-hidden aria-label aria-labelledby aria-live").split(" ")
    .map((name) => [name, `html-${name}`] as const),
  ["loading", "html-loading-attribute"],
  ["srcset", "html-srcset"],
  ["sizes", "html-srcset"],
  ["usemap", "html-image-maps"],
  ["inert", "css-inert-attribute"],
]);

/** Formats by file extension of a picture. */
const FORMATS: Readonly<Record<string, string>> = {
  apng: "apng",
  avif: "avif",
  bmp: "bmp",
  gif: "gif",
  hdr: "hdr",
  heic: "heif",
  heif: "heif",
  ico: "ico",
  jpeg: "jpg",
  jpg: "jpg",
  mp4: "mp4",
  png: "png",
  svg: "svg",
  tif: "tiff",
  tiff: "tiff",
  webp: "webp",
};

/** Records the features of one element and its attributes, without its styles. */
export function useElement(element: HtmlElement, use: Use): void {
  const { tag, attributes } = element;
  const feature = ELEMENTS.get(tag) ?? `html-${tag}`;
  if (feature !== "") use(feature, element);
  for (const [name, attribute] of attributes) {
    const known = ATTRIBUTES.get(name);
    if (known !== undefined) use(known, attribute);
  }
  const valueOf = (name: string) => attributes.get(name)?.value.trim().toLowerCase() ?? "";
  switch (tag) {
    case "input":
      return use(`html-input-${valueOf("type") || "text"}`, element);
    case "button":
      return use(`html-button-${valueOf("type") || "submit"}`, element);
    case "meta":
      if (valueOf("name") === "color-scheme") use("html-meta-color-scheme", element);
      return;
    case "a":
      if (valueOf("href").startsWith("mailto:")) use("html-mailto-links", attributes.get("href")!);
      else if (/^#./.test(valueOf("href"))) use("html-anchor-links", attributes.get("href")!);
      return;
    case "img":
      usePicture(attributes.get("src"), use);
  }
}

function usePicture(src: HtmlAttribute | undefined, use: Use): void {
  if (src === undefined) return;
  const embedded = /^\s*data:image\/([a-z0-9]+)/i.exec(src.value.slice(0, 60))?.[1];
  if (embedded !== undefined) use("image-base64", src);
  const format = embedded ?? /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(src.value.slice(0, 2000))?.[1];
  const known = FORMATS[format?.toLowerCase() ?? ""];
  if (known !== undefined) use(`image-${known}`, src);
}
