/** Loads from cheap processes: `wrk` for signed requests, `curl` for parts of an upload. */
import { createHash } from "node:crypto";
import { runOk } from "../support/clients.ts";
import type { Rate } from "./measure.ts";
import { send, sign, type Unsigned } from "./s3_sign.ts";

const PARTS = 8;
const PART_BYTES = 8 * 1024 * 1024;

/** Repeated requests; every one has the body of the first. */
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

/** All requests are prepared before the first one is sent, so that only the store is measured. */
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

/** Uploads 64 MiB in parts of 8 MiB, four at a time, like SDKs. Returns seconds. */
export async function uploadInParts(curl: string, url: string): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    const body = new Uint8Array(PART_BYTES).fill(7);
    await Deno.writeFile(`${folder}/part`, body);
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const path = "/bench/multipart";
    const startMs = performance.now();
    const begun = await send(url, { method: "POST", path, query: "uploads=" });
    const id = /<UploadId>([^<]+)/.exec(begun.text)?.[1] ?? "";
    const numbers = Array.from({ length: PARTS }, (_, i) => i + 1);
    const requests = numbers.map((number) => {
      const query = `partNumber=${number}&uploadId=${id}`;
      const headers = sign(new URL(url).host, { method: "PUT", path, query, body });
      return [
        `url = "${url}${path}?${query}"`,
        `upload-file = "${folder}/part"`,
        `output = "/dev/null"`,
        // Otherwise curl waits for 100 Continue.
        `header = "Expect:"`,
        ...Object.entries(headers).map(([name, value]) => `header = "${name}: ${value}"`),
      ].join("\n");
    });
    const common = "parallel\nparallel-max = 4\nsilent\nshow-error\nfail";
    await runOk(curl, ["--config", "-"], {
      stdin: `${common}\n${requests.join("\nnext\nfail\n")}\n`,
      timeoutMs: 120_000,
    });
    const list = numbers.map((number) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`
    );
    const text = `<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`;
    const query = `uploadId=${id}`;
    await send(url, { method: "POST", path, query, body: new TextEncoder().encode(text) });
    return (performance.now() - startMs) / 1000;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
