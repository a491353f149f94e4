import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { PushMessage } from "./model.ts";

/** Returns the device. A topic has many recipients, so it links nothing. */
export function storyKeysOfPush(event: CapturedEvent): StoryKey[] {
  const { kind, value } = (event as CapturedEvent<PushMessage>).payload.target;
  return kind === "device" ? [{ kind: "recipient", name: "device", value }] : [];
}
