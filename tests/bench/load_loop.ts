/**
 * Posts the request described by standard input as fast as responses arrive. For machines without
 * `wrk`.
 */
import type { Load, Rate } from "./measure.ts";

const { url, headers, body, seconds, connections } = JSON.parse(
  await new Response(Deno.stdin.readable).text(),
) as Load;
const until = performance.now() + seconds * 1000;
let answered = 0;
let refused = 0;

async function lane(): Promise<void> {
  while (performance.now() < until) {
    const response = await fetch(url, { method: "POST", headers, body });
    await response.body?.cancel();
    answered++;
    if (!response.ok) refused++;
  }
}

await Promise.all(Array.from({ length: connections }, lane));
const rate: Rate = { perSecond: answered / seconds, refused };
console.log(JSON.stringify(rate));
