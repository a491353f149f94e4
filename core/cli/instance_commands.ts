/** Commands that speak to an instance that runs already. */
import { settingGroups } from "../options/help.ts";
import type { OptionTree } from "../options/tree.ts";
import type { Command } from "./command.ts";
import { CONFIG, HELP, plain, settingsOf, URL_FLAG } from "./settings.ts";

const SAME_FLAGS =
  "Give it the file and the flags that the instance was started with, or name it with --url.";

/** `standin demo` */
export function demoCommand(tree: OptionTree): Command {
  return {
    ...plain("demo", "Fill a running instance with samples, over the real protocols"),
    usage: "[plugin] [flags]",
    details: [
      "Sends mail, text messages, chat posts, files, pushes, business documents, traps and HL7 messages to the " +
      "instance, as clients of the real services would, and says where to look at them. Nothing leaves this machine " +
      "unless the instance runs on another one.",
      SAME_FLAGS,
    ],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    maxWords: 1,
    async run(line, context) {
      const settings = await settingsOf(line, context);
      const { sendDemo } = await import("./demo.ts");
      const { findInstance } = await import("./instance.ts");
      return await sendDemo(findInstance(line, settings), context, {
        settings,
        only: line.words[0],
      });
    },
  };
}
