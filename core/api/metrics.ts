/**
 * `GET /metrics` in the text format of Prometheus, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 *
 * @module
 */
import type { CallCounts } from "../callbacks/engine.ts";
import type { SpanCounts } from "../otel/exporter.ts";
import { compact } from "../compact.ts";
import type { HttpCall } from "../http/call.ts";
import { apiError, textResponse } from "../http/reply.ts";
import type { Readiness } from "./ready.ts";
import type { EngineState } from "../events/log.ts";
import type { SharedLogState, Writer } from "../shared_state.ts";
import type { ApiState, ProcessMemory } from "./state.ts";

/** Path outside the read-back API, where scrapers expect it. */
export const METRICS_PATH = "/metrics";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A metric. */
interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Answers a scrape. */
export function sendMetrics(call: Pick<HttpCall, "method" | "path">, state: ApiState): Response {
  if (call.method !== "GET" && call.method !== "HEAD") {
    return apiError(405, `Cannot ${call.method} "${call.path}": allowed are GET, HEAD`, {
      allow: "GET, HEAD",
    });
  }
  return textResponse(familiesOf(state).map(toText).join(""), {
    headers: { "content-type": CONTENT_TYPE, "cache-control": "no-store" },
  });
}

function familiesOf(state: ApiState): readonly Family[] {
  const { tally, events, rejected, enabledPlugins } = state;
  const { status, instance, listeners } = state.readiness();
  const sampled = (counts: typeof tally.captured): readonly Sample[] =>
    counts.map(({ labels, count }) => ({ labels, value: count }));
  return [
    {
      name: "standin_build_info",
      type: "gauge",
      help: "Always 1; the labels identify the program.",
      samples: [{
        labels: { version: state.version, ...compact({ name: instance }) },
        value: 1,
      }],
    },
    gauge(
      "standin_ready",
      "Whether every listener accepts connections.",
      status === "ready" ? 1 : 0,
    ),
    gauge(
      "process_start_time_seconds",
      "Start of the service in seconds since the epoch.",
      state.startedAt.getTime() / 1000,
    ),
    ...callbackFamilies(state.callbacks.counts),
    ...spanFamilies(state.spans()),
    ...memoryFamilies(state.memory()),
    {
      name: "standin_events_captured_total",
      type: "counter",
      help: "Events captured since the start, cleared ones too.",
      samples: sampled(tally.captured),
    },
    {
      name: "standin_events_dropped_total",
      type: "counter",
      help: "Evicted events by reason: a limit, their age, or a limit of another instance.",
      samples: sampled(tally.dropped),
    },
    {
      name: "standin_events_held",
      type: "gauge",
      help: "Events that can be read back now.",
      samples: enabledPlugins.map((plugin) => ({
        labels: { plugin },
        value: events.count(plugin),
      })),
    },
    {
      name: "standin_refused_total",
      type: "counter",
      help:
        "Requests and conversations refused since the start; provider is empty if none was addressed.",
      samples: sampled(tally.refused),
    },
    gauge("standin_refused_held", "Rejected requests in the journal.", rejected.count),
    ...listenerFamilies(listeners),
    ...engineFamilies(state.engine()),
    gauge("standin_blob_bytes", "Bytes of attachments held in memory.", state.blobBytes()),
  ];
}

function callbackFamilies(counts: CallCounts | undefined): readonly Family[] {
  if (counts === undefined) return [];
  const { ended, attempts, pending } = counts;
  return [
    gauge("standin_callbacks_pending", "Calls to the application that have not ended.", pending),
    {
      name: "standin_callbacks_total",
      type: "counter",
      help: "Calls to the application that have ended.",
      samples: [...ended].flatMap(([provider, states]) =>
        [...states].map(([state, value]) => ({ labels: { provider, state }, value }))
      ),
    },
    {
      name: "standin_callback_attempts_total",
      type: "counter",
      help: "Attempts to deliver a call to the application.",
      samples: [...attempts].map(([provider, value]) => ({ labels: { provider }, value })),
    },
  ];
}

function spanFamilies(counts: SpanCounts | undefined): readonly Family[] {
  if (counts === undefined) return [];
  const { sent, dropped, queued } = counts;
  return [
    gauge("standin_otel_spans_queued", "Spans that are queued or being sent.", queued),
    {
      name: "standin_otel_spans_sent_total",
      type: "counter",
      help: "Spans that the collector accepted.",
      samples: [{ value: sent }],
    },
    {
      name: "standin_otel_spans_dropped_total",
      type: "counter",
      help: "Spans that were dropped, by reason.",
      samples: [...dropped].map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ];
}

function memoryFamilies(memory: ProcessMemory): readonly Family[] {
  const { kept, inFlight } = memory;
  return [
    gauge(
      "process_resident_memory_bytes",
      "Memory of the process that is in use.",
      memory.rss,
    ),
    gauge("standin_heap_bytes", "Size of the heap, including free memory.", memory.heapTotal),
    gauge("standin_heap_used_bytes", "Memory in use in the heap.", memory.heapUsed),
    gauge("standin_external_bytes", "Memory of buffers outside the heap.", memory.external),
    {
      name: "standin_memory_bytes",
      type: "gauge",
      help: "Bytes that count against memory_limit: kept in stores, or in flight.",
      samples: [
        { labels: { state: "kept" }, value: kept },
        { labels: { state: "in_flight" }, value: inFlight },
      ],
    },
    gauge("standin_memory_limit_bytes", "Limit of these bytes.", memory.limit),
  ];
}

function engineFamilies(engine: EngineState | undefined): readonly Family[] {
  if (engine === undefined) return [];
  const { connected, behind, silentSeconds, messages, events, seconds, shared, writers } = engine;
  const counter = (name: string, help: string, value: number): Family => ({
    ...gauge(name, help, value),
    type: "counter",
  });
  return [
    gauge(
      "standin_log_connected",
      "Whether the log that instances share responds.",
      connected ? 1 : 0,
    ),
    gauge(
      "standin_log_behind",
      "Messages of other instances that are not listed here yet.",
      behind,
    ),
    gauge(
      "standin_log_silent_seconds",
      "Time since the log last answered: while it grows, standin_log_behind is out of date.",
      silentSeconds,
    ),
    counter("standin_log_messages_total", "Messages written to the log since the start.", messages),
    counter("standin_log_events_total", "Events in these messages.", events),
    counter("standin_log_append_seconds_total", "Time until these messages were stored.", seconds),
    ...sharedFamilies(shared),
    ...writerFamilies(writers),
  ];
}

function sharedFamilies(logs: ReadonlyMap<string, SharedLogState>): readonly Family[] {
  if (logs.size === 0) return [];
  const family = (
    field: keyof SharedLogState,
    about: Pick<Family, "name" | "help"> & Partial<Family>,
  ): Family => ({
    type: "counter",
    ...about,
    samples: [...logs].map(([plugin, state]) => ({ labels: { plugin }, value: state[field] })),
  });
  return [
    family("behind", {
      name: "standin_shared_behind",
      type: "gauge",
      help: "Messages about the shared state of a plugin that are not applied here yet.",
    }),
    family("silentSeconds", {
      name: "standin_shared_silent_seconds",
      type: "gauge",
      help:
        "Time since its log last answered: while it grows, standin_shared_behind is out of date.",
    }),
    family("messages", {
      name: "standin_shared_messages_total",
      help: "Messages with changes of this state written since the start.",
    }),
    family("changes", {
      name: "standin_shared_changes_total",
      help: "Changes in these messages.",
    }),
    family("seconds", {
      name: "standin_shared_append_seconds_total",
      help: "Time until these messages were stored and read back.",
    }),
    family("conflicts", {
      name: "standin_shared_conflicts_total",
      help: "Requests that were repeated because another instance was faster.",
    }),
  ];
}

function writerFamilies(writers: EngineState["writers"]): readonly Family[] {
  if (writers.size === 0) return [];
  const family = (name: string, help: string, is: (writer?: Writer) => boolean): Family => ({
    name,
    type: "gauge",
    help,
    samples: [...writers].map(([plugin, writer]) => ({
      labels: { plugin },
      value: is(writer) ? 1 : 0,
    })),
  });
  return [
    family(
      "standin_shared_writer",
      "Whether this instance writes the shared state of a plugin.",
      (writer) => writer?.isSelf === true,
    ),
    family(
      "standin_shared_writer_known",
      "Whether some instance writes the shared state of a plugin.",
      (writer) => writer !== undefined,
    ),
  ];
}

function listenerFamilies(listeners: Readiness["listeners"]): readonly Family[] {
  const counted = (field: "connections" | "max_connections" | "refused"): readonly Sample[] =>
    listeners.flatMap(({ name, [field]: value }) =>
      value === undefined ? [] : [{ labels: { listener: name }, value }]
    );
  return [
    {
      name: "standin_listener_connections",
      type: "gauge",
      help: "Connections that a listener holds.",
      samples: counted("connections"),
    },
    {
      name: "standin_listener_max_connections",
      type: "gauge",
      help: "Maximum number of connections that a listener holds at a time.",
      samples: counted("max_connections"),
    },
    {
      name: "standin_listener_refused_total",
      type: "counter",
      help: "Connections turned away since the start because the listener was full.",
      samples: counted("refused"),
    },
  ];
}

function gauge(name: string, help: string, value: number): Family {
  return { name, type: "gauge", help, samples: [{ value }] };
}

function toText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const inner = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
    return `${name}${inner.length === 0 ? "" : `{${inner.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
