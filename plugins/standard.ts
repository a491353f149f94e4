import type { AnyPlugin } from "../core/plugin.ts";
import { mail } from "./mail/mod.ts";

/** Every plugin that comes with Standin, in the order they are shown. */
export const STANDARD_PLUGINS: readonly AnyPlugin[] = [mail];
