import type { Settings } from "../options/settings.ts";
import type { CaptureSpans, SpanContext } from "../otel/capture.ts";

/** Opens the export to the collector of the settings; without one, nothing is loaded. */
export async function openSpans(
  settings: Settings,
  context: SpanContext,
  undo: AsyncDisposableStack,
): Promise<CaptureSpans | undefined> {
  const { endpoint } = settings.core.otel;
  if (endpoint === undefined) return undefined;
  const { openOtel } = await import("./otel.ts");
  return undo.use(openOtel(settings, endpoint, context));
}
