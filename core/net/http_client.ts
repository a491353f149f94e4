import { Buffer } from "node:buffer";
import { request as requestHttp1 } from "node:http";
import { connect } from "node:http2";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import { pipeline, Readable } from "node:stream";
import { ByteGatherer } from "../bytes/gatherer.ts";
import { compact } from "../compact.ts";

/** A request of the program to a running instance. */
export interface HttpRequest {
  /** `GET` by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent in chunks, over HTTP/1 only. */
  readonly body?: Uint8Array | string | ReadableStream<Uint8Array>;
  /** Receives the body of a response with status 200 in chunks of any total length, over HTTP/1 only. */
  readonly onChunk?: (chunk: Uint8Array) => Promise<void>;
  /** HTTP/2 from the first byte. */
  readonly http2?: boolean;
  /** Maximum wait for the whole response, in milliseconds. */
  readonly timeoutMs: number;
  /** Connects to this IP address, whatever the host of the URL resolves to. */
  readonly address?: string;
  /** CA certificates in PEM, trusted besides those of the platform. */
  readonly ca?: readonly string[];
  /** Sent besides `headers`. */
  readonly pairs?: readonly (readonly [name: string, value: string])[];
  /** Reads no more of the response and closes the connection; 64 MiB at most in any case. Over HTTP/1 only. */
  readonly cutAt?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** Its response. */
export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case; repeated ones joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if `onChunk` received it. */
  readonly body: Uint8Array;
  /** Whether the body was longer than `cutAt`. */
  readonly cut?: true;
}

/** Largest response, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Sends a request directly; TLS is over HTTP/1 only. The platform's `fetch` would use the proxy of the environment,
 * which may be this very instance. Rejects if the response is not complete in time.
 */
export async function requestHttp(url: string, request: HttpRequest): Promise<HttpAnswer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = new AbortController();
  const timer = setTimeout(() => {
    reject(new Error(`no response within ${request.timeoutMs / 1000} s`));
    cancel.abort();
  }, request.timeoutMs);
  const stop = (): void => {
    reject(new Error("the request was cancelled"));
    cancel.abort();
  };
  if (request.signal?.aborted) stop();
  request.signal?.addEventListener("abort", stop, { once: true });
  const answering = request.http2 === true
    ? askHttp2(new URL(url), request, cancel.signal)
    : askHttp1(new URL(url), request, cancel.signal);
  // Promises that lost the race may still reject.
  answering.catch(() => {});
  try {
    return await Promise.race([answering, late]);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", stop);
  }
}

function askHttp1(url: URL, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const isTls = url.protocol === "https:";
  const sent = (isTls ? requestTls : requestHttp1)({
    host: request.address ?? bareHost(url),
    port: url.port || (isTls ? 443 : 80),
    path: url.pathname + url.search,
    method: request.method ?? "GET",
    ...(isTls ? tlsOf(url, request) : {}),
    headers: {
      host: url.host,
      ...request.headers,
      ...Object.fromEntries(request.pairs ?? []),
      ...lengthOf(request.body),
      connection: "close",
    },
    agent: false,
  }, (message) => {
    const about = () => ({
      status: message.statusCode ?? 0,
      headers: flat(message.headers),
    });
    const onChunk = message.statusCode === 200 ? request.onChunk : undefined;
    collect(message, { onChunk, cutAt: request.cutAt }).then(
      ({ body, cut }) => {
        if (cut) sent.destroy();
        resolve({ ...about(), body, ...(cut ? { cut } : {}) });
      },
      reject,
    );
  });
  sent.on("error", reject);
  signal.addEventListener("abort", () => sent.destroy(), { once: true });
  if (request.body instanceof ReadableStream) {
    pipeline(Readable.from(request.body), sent, (error) => error && reject(error));
  } else sent.end(request.body);
  return promise;
}

/** RFC 6066 section 3: an address is no server name. The certificate is then checked against the address itself. */
function tlsOf(url: URL, { ca }: HttpRequest): { servername?: string; ca?: string[] } {
  const host = bareHost(url);
  return compact({ servername: isIP(host) === 0 ? host : undefined, ca: ca?.slice() });
}

async function askHttp2(url: URL, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const session = connect(url.origin);
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  session.on("error", reject);
  signal.addEventListener("abort", () => session.destroy(), { once: true });
  const sent = session.request({
    ":method": request.method ?? "GET",
    ":path": url.pathname + url.search,
    ...request.headers,
  });
  sent.on("error", reject);
  sent.on("response", ({ ":status": status, ...headers }) => {
    collect(sent).then(
      ({ body }) => resolve({ status: Number(status), headers: flat(headers), body }),
      reject,
    );
  });
  sent.end(request.body);
  try {
    return await promise;
  } finally {
    session.close();
  }
}

async function collect(
  stream: AsyncIterable<Uint8Array>,
  { onChunk, cutAt = Infinity }: {
    onChunk?: HttpRequest["onChunk"] | undefined;
    cutAt?: number | undefined;
  } = {},
): Promise<{ body: Uint8Array; cut?: true }> {
  const gathered = new ByteGatherer(MAX_ANSWER_BYTES);
  for await (const chunk of stream) {
    if (onChunk !== undefined) {
      await onChunk(chunk);
      continue;
    }
    if (gathered.length + chunk.length > cutAt) {
      gathered.append(chunk.subarray(0, cutAt - gathered.length));
      return { body: gathered.take(), cut: true };
    }
    if (gathered.length + chunk.length > MAX_ANSWER_BYTES) {
      throw new Error(`the response has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    gathered.append(chunk);
  }
  return { body: gathered.take() };
}

function flat(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : String(value),
    ]),
  );
}

/** Returns nothing for a stream, whose length is unknown. */
function lengthOf(body: HttpRequest["body"]): Record<string, number> {
  if (body === undefined || body instanceof ReadableStream) return {};
  return { "content-length": typeof body === "string" ? Buffer.byteLength(body) : body.length };
}

/** Removes the brackets of an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
