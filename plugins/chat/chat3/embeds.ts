/** Limits of embeds: https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
import { type Faults, lengthOf } from "./fields.ts";

type Json = Readonly<Record<string, unknown>>;

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;
const MAX_SUM = 6000;
const MAX_COLOR = 0xffffff;

/** Checks the embeds of a body. */
export function checkEmbeds(body: Json, faults: Faults): readonly Json[] {
  const embeds = faults.objects(body, "embeds", { max: MAX_EMBEDS });
  let sum = 0;
  for (const [index, embed] of embeds.entries()) {
    sum += checkEmbed(embed, `embeds.${index}.`, faults);
  }
  if (sum > MAX_SUM) {
    faults.add(
      "embeds",
      "MAX_EMBED_SIZE_EXCEEDED",
      `Embed size exceeds maximum size of ${MAX_SUM}`,
    );
  }
  return embeds;
}

/** Returns the total length of the texts that share a limit. */
function checkEmbed(embed: Json, at: string, faults: Faults): number {
  const counted = [
    faults.text(embed, "title", { at, max: 256 }),
    faults.text(embed, "description", { at, max: 4096 }),
  ];
  faults.url(embed, "url", at);
  const { color, timestamp } = embed;
  if (typeof color === "number" && (color > MAX_COLOR || color < 0)) {
    faults.add(
      `${at}color`,
      color < 0 ? "NUMBER_TYPE_MIN" : "NUMBER_TYPE_MAX",
      color < 0
        ? "int value should be greater than or equal to 0."
        : `int value should be less than or equal to ${MAX_COLOR}.`,
    );
  }
  if (typeof timestamp === "string" && Number.isNaN(Date.parse(timestamp))) {
    faults.add(
      `${at}timestamp`,
      "DATE_TIME_TYPE_PARSE",
      `Could not parse ${timestamp.slice(0, 100)}. Should be ISO8601.`,
    );
  }
  const footer = faults.object(embed, "footer", at);
  if (footer !== undefined) {
    counted.push(faults.required(footer, "text", { at: `${at}footer.`, max: 2048 }));
  }
  const author = faults.object(embed, "author", at);
  if (author !== undefined) {
    counted.push(faults.required(author, "name", { at: `${at}author.`, max: 256 }));
    faults.url(author, "url", `${at}author.`);
  }
  for (const name of ["image", "thumbnail"]) {
    const picture = faults.object(embed, name, at);
    if (picture !== undefined) {
      faults.url(picture, "url", `${at}${name}.`, ["http", "https", "attachment"]);
    }
  }
  for (const [i, field] of faults.objects(embed, "fields", { at, max: MAX_FIELDS }).entries()) {
    counted.push(faults.required(field, "name", { at: `${at}fields.${i}.`, max: 256 }));
    counted.push(faults.required(field, "value", { at: `${at}fields.${i}.`, max: 1024 }));
  }
  return counted.reduce((sum, text = "") => sum + lengthOf(text), 0);
}

/** Maximum number of lines of a readable text. */
const MAX_LINES = 100;

/** Returns the texts of embeds and components, one to a line. */
export function textOfParts(embeds: readonly Json[], components: readonly unknown[]): string {
  const lines = embeds.flatMap((embed) => {
    const fields = Array.isArray(embed.fields) ? embed.fields as readonly Json[] : [];
    const { author, footer } = embed as { author?: Json; footer?: Json };
    return [
      author?.name,
      embed.title,
      embed.description,
      ...fields.map(({ name, value }) => `${name}: ${value}`),
      footer?.text,
    ];
  });
  // Breadth-first with a limit, because senders choose the depth of nesting.
  const open = [...components];
  for (let next = 0; next < Math.min(open.length, 1000); next++) {
    const part = open[next];
    if (typeof part !== "object" || part === null) continue;
    const { content, label, components: inner, accessory } = part as Json;
    lines.push(content, label);
    if (Array.isArray(inner)) { for (const one of inner.slice(0, 100)) open.push(one); }
    if (accessory !== undefined) open.push(accessory);
  }
  return lines.filter((line) => typeof line === "string" && line !== "").slice(0, MAX_LINES)
    .join("\n").slice(0, 6000);
}
