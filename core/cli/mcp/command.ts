import type { OptionTree } from "../../options/tree.ts";
import { type Command, PROGRAM } from "../base/command.ts";
import { instanceCommand } from "../instance/command.ts";

/** `standin mcp` */
export function mcpCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "mcp",
    about: "Serve tools for agents over stdio: the Model Context Protocol",
    usage: "[flags]",
    details: [
      `For clients that start their servers themselves: configure the command ${PROGRAM} mcp. It exits when its input ` +
      "ends. The instance may be started later. Clients that connect over HTTP use /mcp on the port of the user " +
      "interface and need no command.",
    ],
    async run({ context: { io, plugins }, find }) {
      const { serveStdio } = await import("./stdio.ts");
      const input = Deno.stdin.readable;
      await serveStdio(find(), { plugins, input, write: (line) => io.stdout(line) });
      return 0;
    },
  });
}
