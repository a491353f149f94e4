import manifest from "../deno.json" with { type: "json" };

/** Version of this program, such as `0.1.0`. */
export const VERSION: string = manifest.version;
