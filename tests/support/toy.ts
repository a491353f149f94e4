import { Type } from "@sinclair/typebox";
import { defineOptions, optionalText, port } from "../../core/options/spec.ts";
import {
  type CapturedEvent,
  definePlugin,
  httpProvider,
  ingressProvider,
  type PluginState,
  tcpProvider,
  udpProvider,
} from "../../core/plugin.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { toRaw } from "../../core/app/recording.ts";

/** A minimal plugin with a provider of each kind, for tests of core. */
export interface ToyState extends PluginState {
  resets: number;
}

const ingress = ingressProvider<ToyState, ReturnType<typeof ingressOptions>>({
  id: "post",
  title: "Toy over HTTP",
  about: "Takes anything posted",
  options: ingressOptions(),
  snippets: (at) => [{ title: "Post", lang: "sh", code: `curl -d hello ${at.url}/toy/send` }],
  refuse: (_call, refusal) =>
    Response.json({ toy: refusal.kind, message: refusal.message }, { status: refusal.status }),
  routes: [
    {
      method: "POST",
      path: "/toy/send",
      about: "One event for each line of the body",
      handle(call, env) {
        const text = new TextDecoder().decode(call.body);
        if (text === "refuse") return new Response("refused", { status: 422 });
        if (text === "throw") throw new Error("Toy fault");
        for (const line of text.split("\n")) {
          env.capture({
            type: "toy.message",
            summary: line,
            payload: { line, version: call.version },
            raw: call.raw,
          });
        }
        return new Response("ok");
      },
    },
    {
      method: "GET",
      path: "/toy/{name}",
      about: "Echoes a name",
      handle: (call) => Response.json({ name: call.params.name, query: call.query.get("q") }),
    },
  ],
});

function ingressOptions() {
  return defineOptions({ token: optionalText("Token to expect", { secret: true }) });
}

const httpOptions = defineOptions({ port: port("TCP port of the toy HTTP listener", 7001) });

const http = httpProvider<ToyState, typeof httpOptions>({
  id: "own",
  title: "Toy on its own HTTP port",
  about: "Streams what is posted",
  options: httpOptions,
  portOption: "port",
  open: () => ({
    async handle(call, env) {
      let size = 0;
      for await (const chunk of call.request.body ?? []) size += chunk.length;
      env.capture({
        type: "toy.message",
        summary: `${size} bytes`,
        payload: { size, target: call.target },
        raw: toRaw(call, new Uint8Array()),
      });
      return new Response(String(size));
    },
  }),
});

const tcpOptions = defineOptions({ port: port("TCP port of the toy echo", 7002) });

const tcp = tcpProvider<ToyState, typeof tcpOptions>({
  id: "echo",
  title: "Toy over TCP",
  about: "Echoes and captures each chunk",
  scheme: "toy",
  options: tcpOptions,
  portOption: "port",
  maxConnections: () => 3,
  busyReply: () => new TextEncoder().encode("busy\n"),
  open: ({ capture }) => ({
    async serve(wire) {
      for (let chunk; (chunk = await wire.read({ idleMs: 5000 })) !== undefined;) {
        const summary = new TextDecoder().decode(chunk);
        const raw = { transport: "tcp", text: true, body: chunk, peer_addr: wire.peer } as const;
        capture({ type: "toy.message", summary, payload: {}, raw });
        await wire.write(chunk);
      }
    },
  }),
});

const udpOptions = defineOptions({ port: port("UDP port of the toy receiver", 7003) });

const udp = udpProvider<ToyState, typeof udpOptions>({
  id: "datagram",
  title: "Toy over UDP",
  about: "Echoes and captures each datagram",
  scheme: "toyu",
  options: udpOptions,
  portOption: "port",
  open: ({ capture }) => ({
    async receive(datagram) {
      const raw = { transport: "udp", text: true, body: datagram.bytes } as const;
      const summary = new TextDecoder().decode(datagram.bytes);
      capture({ type: "toy.message", summary, payload: {}, raw });
      await datagram.reply(datagram.bytes);
    },
  }),
});

const messages = messageRoutes<ToyState, CapturedEvent>({
  shape: Type.Object({ id: Type.String(), summary: Type.String() }, { $id: "toy.Line" }),
  toView: ({ id, summary }) => ({ id, summary }),
});

/** A plugin for tests of core. */
export const toy = definePlugin<ToyState>({
  id: "toy",
  title: "Toy",
  about: "A plugin for tests of core",
  eventTypes: ["toy.message"],
  texts(event) {
    const { line } = (event as CapturedEvent<{ line?: string }>).payload;
    return line === undefined ? [] : [{ kind: "plain", text: line }];
  },
  providers: [ingress, http, tcp, udp],
  routes: [
    messages.list(),
    messages.remove("Delete"),
  ],
  open: () => {
    const state: ToyState = { resets: 0, reset: () => void state.resets++ };
    return state;
  },
});
