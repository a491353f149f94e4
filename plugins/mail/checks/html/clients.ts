import { inSlices } from "../../../../core/time_slice.ts";
import { findFeatures, scoreClients } from "./compatibility.ts";
import { readDocument } from "./document.ts";
import type { Clients } from "./shape.ts";
import { loadSupport } from "./support.ts";

/** Share of the used features that must have been tested with a program to rate it. */
const LEAST_KNOWN = 1 / 3;

/** Determines which email clients support the features of an HTML body. */
export async function rateClients(html: string): Promise<Clients> {
  const data = await loadSupport();
  const document = await inSlices(readDocument(html));
  const features = await inSlices(findFeatures(document, data));
  const scores = scoreClients(features, data);
  const isRated = scores.map(({ supported, partial, unsupported }) =>
    supported + partial + unsupported >= LEAST_KNOWN * features.length
  );
  const clients = scores.filter((_, column) => isRated[column]);
  const lines = lineStarts(html);
  return {
    source: data.source,
    date: data.date,
    score: Math.round(
      clients.reduce((sum, { score }) => sum + score, 0) / Math.max(1, clients.length),
    ),
    clients,
    features: features.map(({ id, title, count, place, support }) => ({
      id,
      title,
      count,
      line: lines.findLastIndex((start) => start <= place.start) + 1,
      support: support.filter((_, column) => isRated[column]).join(""),
    })),
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
