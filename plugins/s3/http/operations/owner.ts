import type { XmlElement } from "../../codec/xml.ts";

/** Everything belongs to one owner: credentials are never checked. */
export const OWNER: readonly XmlElement[] = [["ID", "standin"], ["DisplayName", "standin"]];
