import type { OptionTree } from "../../options/tree.ts";
import type { Command } from "../base/command.ts";
import { instanceCommand, SAME_FLAGS } from "../instance/command.ts";

/** `standin doctor` */
export function doctorCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "doctor",
    about: "Find out why clients cannot reach an instance, and how to fix it",
    usage: "[flags]",
    details: [
      "Checks the ports of the settings and who holds them, the listeners of the running instance, its certificate, " +
      "and the variables by which clients find and trust it. Lists what each client of the real services needs. " +
      "Exits with 1 if it finds a problem. It starts nothing, and sends nothing that is captured.",
      SAME_FLAGS,
    ],
    async run({ context, settings, find }) {
      const { examine } = await import("./doctor.ts");
      return await examine(context, { settings, tree, find });
    },
  });
}
