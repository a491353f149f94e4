import type { Hl7Message, Segment } from "../model.ts";
import type { Profile } from "./profile.ts";
import type { VersionData } from "./versions.ts";

/** The subject of the checks of a message. */
export interface Hl7Subject {
  readonly message: Hl7Message;
  /** Parsed once. */
  readonly segments: readonly Segment[];
  readonly versions: VersionData;
  /** Further requirements, from the setting `profile`. */
  readonly profile: Profile | undefined;
}
