/**
 * Reads and asserts on the captures of a running service, from Deno, Node and Bun.
 *
 * @module
 */
export { type ClientOptions, NamespaceClient, StandinClient } from "./client.ts";
export { ExpectationError, RequestError, WaitError } from "./errors.ts";
export type * from "./model.ts";
