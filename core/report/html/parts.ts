/** The parts of an item as HTML. */
import { encodeBase64 } from "@std/encoding/base64";
import type { BlobStore } from "../../blobs/blob.ts";
import { typeOf } from "../../checks/magic.ts";
import type { ReportFacts, ReportFile, ReportPart, ReportRun, ReportTable } from "../part.ts";
import { captured, Markup, markup } from "./markup.ts";

/** Longest text of a part, in characters. */
const MAX_TEXT = 200_000;
/** Longest HTML document, in characters, with its pictures. */
const MAX_PAGE = 4 * 1024 * 1024;
/** Maximum number of rows of a table. */
const MAX_ROWS = 2000;
/** Largest file that is part of the report, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Room for the bytes of files in one report. */
export interface FileRoom {
  readonly blobs: Pick<BlobStore, "read">;
  /** Bytes left. */
  left: number;
}

/** Returns a part as HTML. */
export async function partMarkup(
  part: ReportPart,
  room: FileRoom,
): Promise<Markup | undefined> {
  switch (part.kind) {
    case "facts":
      return factsMarkup(part);
    case "text":
      return part.folded ? folded(part.label, part.text) : textMarkup(part.label, part.text);
    case "page":
      return pageMarkup(part.label, part.html);
    case "message":
      return markup`<figure class="bubble">${
        part.from !== undefined && markup`<figcaption>${captured(part.from)}</figcaption>`
      }<p>${
        typeof part.text === "string" ? captured(cut(part.text)) : formatted(part.text)
      }</p></figure>`;
    case "notice":
      return markup`<figure class="notice">${
        part.app !== undefined && markup`<figcaption>${captured(part.app)}</figcaption>`
      }${part.title !== undefined && markup`<strong>${captured(part.title)}</strong>`}${
        part.text !== undefined && markup`<p>${captured(cut(part.text))}</p>`
      }</figure>`;
    case "table":
      return tableMarkup(part);
    case "file":
      return await fileMarkup(part, room);
  }
}

/** Elements by style of a span. */
const LOOKS = {
  strong: (text: Markup) => markup`<strong>${text}</strong>`,
  em: (text: Markup) => markup`<em>${text}</em>`,
  strike: (text: Markup) => markup`<s>${text}</s>`,
  code: (text: Markup) => markup`<code>${text}</code>`,
};

function formatted(runs: readonly ReportRun[]): Markup {
  let left = MAX_TEXT;
  const shown = runs.map(({ text, look }) => {
    const shown = markup`${text.slice(0, Math.max(0, left))}`;
    left -= text.length;
    return look === undefined ? shown : LOOKS[look](shown);
  });
  return markup`<bdi>${shown}${left < 0 && `… ${-left} more characters`}</bdi>`;
}

/** Returns a text that is hidden until the reader asks for it. */
export function folded(label: string, text: string): Markup {
  return markup`<details class="fold"><summary>${label}</summary><pre>${
    captured(cut(text))
  }</pre></details>`;
}

function textMarkup(label: string, text: string): Markup {
  return section(label, markup`<pre>${captured(cut(text))}</pre>`);
}

function section(label: string, content: Markup): Markup {
  return markup`<section><h4>${label}</h4>${content}</section>`;
}

/** Renders names and values. */
export function factsMarkup({ rows }: Pick<ReportFacts, "rows">): Markup | undefined {
  const given = rows.filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return undefined;
  const lines = given.map(([name, value]) =>
    markup`<div><dt>${name}</dt><dd>${captured(cut(String(value)))}</dd></div>`
  );
  return markup`<dl>${lines}</dl>`;
}

/**
 * The sandbox keeps the document from running, sending and opening anything; what it may load is what the policy of
 * the report allows, which it inherits (HTML Standard, "initialize the policy container").
 */
function pageMarkup(label: string, page: string): Markup {
  if (page.length > MAX_PAGE) {
    const why = `Omitted: it has ${page.length} characters, and at most ${MAX_PAGE} are shown.`;
    return section(label, markup`<p class="soft">${why}</p>`);
  }
  const still = new Markup('sandbox="" loading="lazy" referrerpolicy="no-referrer"');
  return section(label, markup`<iframe ${still} title="${label}" srcdoc="${page}"></iframe>`);
}

function tableMarkup({ label, columns, rows }: ReportTable): Markup {
  const more = rows.length - MAX_ROWS;
  const head = columns.map((name) => markup`<th>${name}</th>`);
  const body = rows.slice(0, MAX_ROWS).map((cells) =>
    markup`<tr>${cells.map((cell) => markup`<td>${captured(cut(cell))}</td>`)}</tr>`
  );
  const table = markup`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return section(
    label,
    markup`<div class="wide">${table}</div>${
      more > 0 && markup`<p class="soft">… and ${more} more</p>`
    }`,
  );
}

/** Pictures that browsers show, and that run nothing. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

async function fileMarkup({ name, type, blob }: ReportFile, room: FileRoom): Promise<Markup> {
  const title = name === undefined || name === "" ? "file" : name;
  const about = [type, `${blob.size} bytes`].filter((word) => word !== undefined).join(", ");
  const line = (link: Markup) =>
    markup`<p class="file">${link} <span class="soft">${captured(about)}</span></p>`;
  if (blob.size > MAX_FILE_BYTES || blob.size > room.left) {
    return line(markup`${captured(title)} <span class="soft">(too large for this report)</span>`);
  }
  const bytes = await room.blobs.read(blob.id, 0, blob.size);
  if (bytes === undefined) {
    return line(markup`${captured(title)} <span class="soft">(no longer held)</span>`);
  }
  room.left -= bytes.length;
  const base64 = encodeBase64(bytes);
  const picture = PICTURES.find((known) => known === typeOf(bytes));
  // Never the type that its sender states: a browser must save the bytes, not open them.
  const url = `data:application/octet-stream;base64,${base64}`;
  const link = markup`<a download="${fileName(title)}" href="${url}">${captured(title)}</a>`;
  const image = picture !== undefined &&
    markup`<img alt="" loading="lazy" src="data:${picture};base64,${base64}">`;
  return markup`${line(link)}${image}`;
}

/** Without folders and characters that file systems refuse. */
function fileName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, "_").slice(-100);
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters`;
}
