import { defineOptions, optionalPath } from "../../core/options/spec.ts";

/** Settings of `[plugins.hl7]`. */
export const OPTIONS = defineOptions({
  profile: optionalPath(
    "TOML file with segments, fields and values that the checks of a message require besides HL7's own",
    { access: "read", example: "./profile.toml" },
  ),
});
