/**
 * The library for property tests. It is imported only here and not through `deno.json`, because
 * every user of the program downloads the packages in that.
 *
 * @module
 */
export * as fc from "npm:fast-check@4.10.2";
