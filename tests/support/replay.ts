/** Recorded requests of real clients, from `tests/fixtures/vendors/`. */
export interface RecordedRequest {
  readonly scenario: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly string[])[];
  readonly body: string;
}

/** Headers that `fetch` sets itself. */
const OWN = new Set(["host", "connection", "content-length", "accept-encoding"]);

/** Sends a recorded request to a base address. `target` replaces the recorded one. */
export function replay(
  base: string,
  request: RecordedRequest,
  target: string = request.target,
): Promise<Response> {
  const headers = new Headers();
  for (const [name = "", value = ""] of request.headers) {
    if (!OWN.has(name.toLowerCase())) headers.append(name, value);
  }
  const hasBody = request.method !== "GET" && request.body !== "";
  return fetch(`${base}${target}`, {
    method: request.method,
    headers,
    ...(hasBody ? { body: request.body } : {}),
  });
}

/** Returns the recorded request of that scenario. */
export function recorded(
  requests: readonly RecordedRequest[],
  scenario: string,
): RecordedRequest {
  const found = requests.find((request) => request.scenario === scenario);
  if (found === undefined) throw new Error(`Cannot find the recorded scenario "${scenario}"`);
  return found;
}
