/**
 * A client of the read-back API, for Deno, Node and Bun: read and assert on what a running service has captured.
 *
 * @example Wait for an email
 * ```ts ignore
 * import { connect } from "@standin/standin/client";
 *
 * const standin = connect("http://localhost:8811");
 * await standin.reset();
 * await signUp("ada@example.org");
 * const { payload } = await standin.waitFor("mail.message", { to: "ada@example.org" });
 * ```
 *
 * @module
 */
import { type ClientOptions, type NamespaceClient, StandinClient } from "../core/client/mod.ts";
import type { StandardFilters, StandardPayloads } from "./models.ts";

export * from "../core/client/mod.ts";
export type { NoFilters, StandardFilters, StandardPayloads } from "./models.ts";

/** A client that knows the payloads and filters of the standard plugins. */
export type StandardClient = StandinClient<StandardPayloads, StandardFilters>;

/** The same for one namespace. */
export type StandardNamespace = NamespaceClient<StandardPayloads, StandardFilters>;

/**
 * A client that knows the payloads and filters of the standard plugins. `url` is the address of the
 * service's pages. Throws a `RangeError` for an unknown option.
 */
export function connect(
  url: string | URL = "http://localhost:8811",
  options: ClientOptions = {},
): StandardClient {
  return new StandinClient<StandardPayloads, StandardFilters>(url, options);
}
