import type { OptionTree } from "../../options/tree.ts";
import type { Command } from "../base/command.ts";
import { instanceCommand, SAME_FLAGS } from "../instance/command.ts";

/** `standin doctor` */
export function doctorCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "doctor",
    about: "Look for what keeps clients from reaching an instance, and say what to do",
    usage: "[flags]",
    details: [
      "Looks at the ports of the settings and who has them, at the listeners of the running instance, at its " +
      "certificate and at the variables by which clients trust it and find it, and lists what each client of the " +
      "real services has to be told. Ends with 1 when something has to be mended. It starts nothing, and sends " +
      "nothing that is captured.",
      SAME_FLAGS,
    ],
    async run({ context, settings, find }) {
      const { examine } = await import("./doctor.ts");
      return await examine(context, { settings, tree, find });
    },
  });
}
