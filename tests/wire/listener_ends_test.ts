/** How conversations end: errors of the peer are not logged as errors. */
import { assertEquals, assertMatch } from "@std/assert";
import { DisconnectedError, IdleError } from "../../core/net/transport.ts";
import { defineOptions, port } from "../../core/options/spec.ts";
import { type AnyPlugin, definePlugin, type PluginState, tcpProvider } from "../../core/plugin.ts";
import { startService } from "../support/service.ts";

/** A plugin whose conversations all end with this error. */
function failing(error: Error): AnyPlugin {
  const options = defineOptions({ port: port("TCP port", 1) });
  return definePlugin<PluginState>({
    id: "toy",
    title: "Toy",
    about: "Ends every conversation in an error",
    eventTypes: [],
    routes: [],
    open: () => ({}),
    providers: [tcpProvider<PluginState, typeof options>({
      id: "tcp",
      title: "Toy over TCP",
      about: "Ends every conversation in an error",
      scheme: "toy",
      options,
      portOption: "port",
      open: () => ({ serve: () => Promise.reject(error) }),
    })],
  });
}

const ENDS: readonly (readonly [error: Error, line: RegExp])[] = [
  [new DisconnectedError("gone"), /DEBUG +Lost a connection/],
  [new IdleError("silent"), /DEBUG +Closed an idle connection/],
  [new Error("a fault"), /ERROR +Cannot continue a conversation/],
];
for (const [error, line] of ENDS) {
  Deno.test(`a conversation that ends in ${error.name} is logged accordingly`, async () => {
    await using service = await startService({ plugins: [failing(error)], logLevel: "debug" });
    const { hostname, port } = service.endpoint("toy/tcp");
    const conn = await Deno.connect({ hostname, port });
    assertEquals(await conn.read(new Uint8Array(1)), null);
    conn.close();
    assertMatch(service.log.join("\n"), line);
    assertEquals(service.rejected.list(), []);
  });
}
