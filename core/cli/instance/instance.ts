import type { PluginInfo } from "../../api/describe.ts";
import type { Readiness } from "../../api/ready.ts";
import { ConfigError, reasonOf } from "../../errors.ts";
import { type HttpAnswer, type HttpRequest, requestHttp } from "../../net/http_client.ts";
import type { CommandLine } from "../../options/flags.ts";
import type { Settings } from "../../options/settings.ts";
import { quote } from "../../options/given.ts";
import { UI_OPTIONS } from "../../options/core_options.ts";
import { PROGRAM } from "../base/command.ts";
import { URL_FLAG } from "../base/settings.ts";

const ANSWER_MS = 10_000;

/** A running instance, reached by its read-back API. */
export interface Instance {
  /** Without a trailing slash: `http://localhost:8811`. */
  readonly base: string;
  /** Gets a path of the API. Throws `ConfigError` with advice if there is no response. */
  get(path: string): Promise<HttpAnswer>;
  /** Sends any request to the API, in the same way. */
  ask(path: string, request: HttpRequest): Promise<HttpAnswer>;
  /** Returns the address of its user interface, which may have a separate port. */
  ui(): Promise<string>;
  /** Returns descriptions of the running plugins, on the live ports. */
  plugins(): Promise<readonly PluginInfo[]>;
}

/** Returns the instance of `--url` or the settings. Throws `ConfigError` if neither locates it. */
export function findInstance(line: CommandLine, settings: Settings): Instance {
  const given = line.texts[URL_FLAG.name]?.at(-1);
  const base = given === undefined ? configuredBase(settings) : readBase(given);
  const { token } = settings.core.api;
  const headers: Record<string, string> = token === undefined
    ? {}
    : { authorization: `Bearer ${token}` };
  const ask = async (path: string, request: HttpRequest): Promise<HttpAnswer> => {
    let answer: HttpAnswer;
    try {
      answer = await requestHttp(`${base}/api/v1${path}`, {
        ...request,
        headers: { ...request.headers, ...headers },
      });
    } catch (error) {
      throw new ConfigError(`Cannot reach ${PROGRAM} at ${base}: ${reasonOf(error)}; ${ADVICE}`);
    }
    if (answer.status !== 401) return answer;
    throw new ConfigError(
      `Cannot read from ${PROGRAM} at ${base}: it requires its token; set --api-token`,
    );
  };
  const get = (path: string): Promise<HttpAnswer> => ask(path, { timeoutMs: ANSWER_MS });
  return {
    base,
    get,
    ask,
    async ui() {
      const { body } = await get("/ready");
      const url = readReadiness(body)?.listeners.find(({ name }) => name === "ui")?.url;
      const address = new URL(base);
      if (url !== undefined) address.port = new URL(url).port;
      return address.origin;
    },
    async plugins() {
      const { status, body } = await get("/plugins");
      const found = status === 200 ? readJson(body) : undefined;
      if (!Array.isArray(found)) {
        throw new ConfigError(
          `Cannot use what answers at ${base}: it is not ${PROGRAM} (status ${status}); ${ADVICE}`,
        );
      }
      return found as PluginInfo[];
    },
  };
}

const ADVICE = `start it with ${PROGRAM} serve, or give its address with --url or --ui-port`;

function configuredBase({ core: { root, ui, api } }: Settings): string {
  const { port, bind } = api.port === undefined ? ui : { port: api.port, bind: api.bind };
  if (port === 0) {
    throw new ConfigError(
      "Cannot find the instance: its settings choose any free port; use --url",
    );
  }
  return `http://${inUrl(hostOf(bind, root.host))}:${port}`;
}

/** A listener on every address is reached by its printed name. */
function hostOf(bind: string, host: string): string {
  return bind === "0.0.0.0" || bind === "::" ? host : bind;
}

function inUrl(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.protocol !== "http:") {
    throw new ConfigError(
      `Cannot read --url ${
        quote(text)
      }: expected an address like http://localhost:${UI_OPTIONS.port.fallback}`,
    );
  }
  return url.origin;
}

/** Parses the readiness report of an instance; `undefined` for the response of another program. */
export function readReadiness(body: Uint8Array): Readiness | undefined {
  const read = readJson(body) as Partial<Readiness> | null | undefined;
  const known = typeof read?.status === "string" && Array.isArray(read.listeners) &&
    read.listeners.every((one) => typeof one?.name === "string" && URL.canParse(one.url));
  return known ? read as Readiness : undefined;
}

/** Parses a JSON text; `undefined` for any other text. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
