import { startCore } from "../../core/app/start.ts";
import type { Service } from "../../core/app/service.ts";
import { compact } from "../../core/compact.ts";
import { createLogger, type LogLevel } from "../../core/log.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { ASSETS } from "../../ui/assets.ts";

/** Options of a test's service. */
export interface TestServiceOptions {
  /** Every standard plugin by default. */
  readonly plugins?: readonly AnyPlugin[];
  /** Settings in the structure of the configuration file. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Folder for generated keys; without it they are kept in memory. */
  readonly configFolder?: string;
  /** Lines of this level and above are kept in `log`; nothing is printed. */
  readonly logLevel?: LogLevel;
}

/** A running service with helpers for tests. */
export interface TestService extends Service {
  /** Log lines written so far. */
  readonly log: readonly string[];
  /** Fetches a read-back route as JSON. Fails on any status other than `status` (default 200). */
  getJson<T = unknown>(path: string, status?: number): Promise<T>;
}

/** Starts a service on free loopback ports, in memory, with a quiet log. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const plugins = options.plugins ?? STANDARD_PLUGINS;
  const log: string[] = [];
  const service = await startCore(plugins, {
    settings: resolveSettings(plugins, {
      tree: { host: "127.0.0.1", ...options.config },
      portsZero: true,
    }),
    assets: ASSETS,
    ...compact({ configFolder: options.configFolder }),
    log: createLogger({
      level: options.logLevel ?? "warn",
      write: (line) => log.push(line),
      now: () => new Date(),
    }),
  });
  return Object.assign(service, {
    log,
    async getJson<T>(path: string, status = 200): Promise<T> {
      const response = await fetch(`${service.api.url}/api/v1${path}`);
      const text = await response.text();
      if (response.status !== status) {
        throw new Error(`Cannot read ${path}: expected ${status}, got ${response.status}: ${text}`);
      }
      return JSON.parse(text) as T;
    },
  });
}
