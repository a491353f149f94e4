/** Signed requests in turn, as fast as they are answered, from a process of its own: `wrk`. */
import { runOk } from "../support/clients.ts";
import type { Rate } from "./measure.ts";
import { sign, type Unsigned } from "./s3_sign.ts";

/** What is sent again and again; every request has the body of the first. */
export interface S3Load {
  readonly wrk: string;
  readonly url: string;
  readonly requests: readonly Unsigned[];
  readonly connections: number;
  readonly seconds: number;
}

/** Loads a store. */
export async function drive({ wrk, url, requests, ...load }: S3Load): Promise<Rate> {
  const folder = await Deno.makeTempDir();
  try {
    const [script, body] = [`${folder}/load.lua`, `${folder}/body`];
    await Deno.writeFile(body, requests[0]?.body ?? new Uint8Array());
    await Deno.writeTextFile(script, toLua(new URL(url).host, { requests, body }));
    const { stdout } = await runOk(wrk, [
      "-t1",
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      "--timeout",
      "10s",
      "-s",
      script,
      url,
    ], { timeoutMs: (load.seconds + 30) * 1000 });
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? NaN),
      refused: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** All requests are made before the first one is sent: what is measured is the store. */
function toLua(
  host: string,
  { requests, body }: { requests: readonly Unsigned[]; body: string },
): string {
  const made = requests.map((request) => {
    const { method, path, query = "" } = request;
    const target = query === "" ? path : `${path}?${query}`;
    const headers = Object.entries({ Host: host, ...sign(host, request) })
      .map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`);
    const content = request.body === undefined ? "nil" : "body";
    return `wrk.format("${method}", ${JSON.stringify(target)}, {${headers.join(",")}}, ${content})`;
  });
  return `local file = io.open("${body}", "rb")
local body = file:read("*a")
file:close()
local made, at = {}, 0
init = function()
${made.map((one, index) => `  made[${index}] = ${one}`).join("\n")}
end
request = function()
  at = (at + 1) % ${requests.length}
  return made[at]
end
`;
}
