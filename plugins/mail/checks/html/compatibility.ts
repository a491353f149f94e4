/** Which email clients show an HTML body as intended, by the data of caniemail.com. */
import type { Steps } from "../../../../core/bytes/steps.ts";
import { walkDeclarations, walkSheet } from "./css.ts";
import type { HtmlDocument, Span } from "./document.ts";
import { useElement } from "./element_features.ts";
import { featuresOf, type Use } from "./style_features.ts";
import type { SupportData } from "./support.ts";

/** Support of one feature by one program: yes, partly, no, unknown. */
export type Support = "y" | "a" | "n" | "u";

/** A feature that a body uses. */
export interface UsedFeature {
  /** Name of its page on caniemail.com. */
  readonly id: string;
  readonly title: string;
  /** Number of uses. */
  readonly count: number;
  /** Place of the first use. */
  readonly place: Span;
  /** By program, in the order of the data. */
  readonly support: readonly Support[];
}

/** Features of a body, those that most programs lack first. */
export function* findFeatures(
  document: HtmlDocument,
  data: SupportData,
): Steps<UsedFeature[]> {
  const uses = new Map<string, { count: number; place: Span }>();
  const use: Use = (feature, place) => {
    const known = uses.get(feature);
    if (known !== undefined) known.count++;
    else if (Object.hasOwn(data.features, feature)) uses.set(feature, { count: 1, place });
  };
  yield* useElements(document, use);
  for (const { css, start } of document.sheets) {
    yield* walkSheet(css, featuresOf((feature, place) => use(feature, moved(place, start))));
    const comment = css.indexOf("/*");
    if (comment !== -1) use("css-comments", moved({ start: comment, end: comment + 2 }, start));
  }
  if (document.comment !== undefined) use("html-comments", document.comment);
  if (document.doctype !== undefined) use("html-doctype", document.doctype);
  return [...uses].map(([id, { count, place }]) => ({
    id,
    count,
    place,
    title: data.features[id]!.title,
    support: [...data.features[id]!.support] as Support[],
  })).sort((a, b) => countOf(b, "n") - countOf(a, "n") || (a.id < b.id ? -1 : 1));
}

/** Elements between two pauses. */
const STEP = 500;

/** Equal styles of many elements are walked once. */
function* useElements({ elements }: HtmlDocument, use: Use): Steps<void> {
  let count = 0;
  const walked = new Map<string, readonly (readonly [feature: string, place: Span])[]>();
  for (const element of elements) {
    if (++count % STEP === 0) yield;
    useElement(element, use);
    const style = element.attributes.get("style");
    if (style === undefined) continue;
    let found = walked.get(style.value);
    if (found === undefined) {
      const features: (readonly [string, Span])[] = [];
      yield* walkDeclarations(
        style.value,
        featuresOf((feature, place) => features.push([feature, place])),
      );
      walked.set(style.value, found = features);
    }
    for (const [feature, place] of found) use(feature, moved(place, style.valueStart));
  }
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

/** Number of programs with this level of support. */
export function countOf({ support }: UsedFeature, wanted: Support): number {
  return support.filter((one) => one === wanted).length;
}

/** Support of a body by one program. */
export interface ClientScore {
  readonly id: string;
  readonly family: string;
  readonly platform: string;
  /**
   * Percentage of the used features that it supports; partial support counts half, unknown support
   * is ignored.
   */
  readonly score: number;
  readonly supported: number;
  readonly partial: number;
  readonly unsupported: number;
}

/** Scores of all clients, in the order of the data. */
export function scoreClients(features: readonly UsedFeature[], data: SupportData): ClientScore[] {
  return data.clients.map(({ id, family, platform }, column) => {
    const of = (support: Support) =>
      features.filter((feature) => feature.support[column] === support).length;
    const [supported, partial, unsupported] = [of("y"), of("a"), of("n")];
    const known = supported + partial + unsupported;
    const score = known === 0 ? 100 : Math.round(100 * (supported + partial / 2) / known);
    return { id, family, platform, score, supported, partial, unsupported };
  });
}
