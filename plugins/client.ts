/**
 * A client of the read-back API, for Deno, Node and Bun: read and assert on what a running service has captured.
 *
 * @example Wait for a mail
 * ```ts ignore
 * import { connect } from "@standin/standin/client";
 *
 * const standin = connect("http://localhost:8811");
 * await standin.reset();
 * await signUp("ada@example.org");
 * const { payload } = await standin.waitFor("mail.message", { text: "ada@example.org" });
 * ```
 *
 * @module
 */
import { type ClientOptions, StandinClient } from "../core/client/mod.ts";
import type { StandardPayloads } from "./models.ts";

export * from "../core/client/mod.ts";
export type { StandardPayloads } from "./models.ts";

/** A client that knows the payloads of the standard plugins. `url` is where the pages of the service are. */
export function connect(
  url: string | URL = "http://localhost:8811",
  options: ClientOptions = {},
): StandinClient<StandardPayloads> {
  return new StandinClient<StandardPayloads>(url, options);
}
