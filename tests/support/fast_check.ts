/**
 * The library for property tests. It is imported here alone and not through `deno.json`, from which everyone who runs
 * the program downloads every package.
 *
 * @module
 */
export * as fc from "npm:fast-check@4.10.2";
