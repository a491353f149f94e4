import { defineOptions, optionalPath } from "../../core/options/spec.ts";

/** Settings of `[plugins.hl7]`. */
export const OPTIONS = defineOptions({
  profile: optionalPath(
    "TOML file of segments, fields and values that the checks require in addition to HL7's own",
    { access: "read", example: "./profile.toml" },
  ),
});
