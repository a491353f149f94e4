/** Calls of the read-back API, limited to the chosen namespace. */
import { scoped } from "./namespace.js";
import { readPages } from "./paged.js";

/** A failed call; `status` 0 means that there was no response. */
export class ApiProblem extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const BASE = "/api/v1";

/**
 * @template T
 * @param {string} path below `/api/v1`
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<T>}
 */
export async function getJson(path, options = {}) {
  const headers = { accept: "application/json" };
  const response = await call(scoped(path), { headers, ...options });
  return await response.json();
}

/** Entries per request: reading many more would block the page for longer than a frame or two. */
const PAGE = 1000;

/**
 * Fetches a whole list, in pages.
 * @template {{ readonly id: string }} T
 * @template [U=T]
 * @param {string} path below `/api/v1`
 * @param {{ signal?: AbortSignal, most?: number | undefined, keep?: (entry: T) => U }} [options] `most` is how many entries
 *   to fetch, all by default; `keep` maps an entry to what is kept
 * @returns {Promise<U[]>}
 */
export async function getList(path, { keep, most, ...options } = {}) {
  const page = (/** @type {number} */ offset) =>
    getJson(`${path}${path.includes("?") ? "&" : "?"}limit=${PAGE}&offset=${offset}`, options);
  return await readPages(page, { size: PAGE, most, keep });
}

/**
 * @param {string} path below `/api/v1`
 * @returns {Promise<void>}
 */
export async function post(path) {
  await call(scoped(path), { method: "POST" });
}

/**
 * @param {string} path below `/api/v1`
 * @returns {Promise<void>}
 */
export async function remove(path) {
  await call(scoped(path), { method: "DELETE" });
}

/**
 * @template T
 * @param {string} path below `/api/v1`
 * @param {unknown} body
 * @returns {Promise<T>}
 */
export async function postJson(path, body) {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await call(path, { method: "POST", headers, body: JSON.stringify(body) });
  return await response.json();
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function call(path, init) {
  let response;
  try {
    response = await fetch(BASE + path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem(0, "Cannot reach the service: it may have stopped");
  }
  if (response.ok) return response;
  throw new ApiProblem(response.status, await readProblem(response));
}

/**
 * Uploads a file and reports its progress, which `fetch` cannot.
 * @param {string} path below `/api/v1`
 * @param {File} file
 * @param {{ signal: AbortSignal, onSent: (share: number) => void }} options `share` goes from 0 to 1
 * @returns {Promise<unknown>} the response
 */
export function sendFile(path, file, { signal, onSent }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", BASE + path);
    request.upload.addEventListener("progress", ({ loaded, total }) => onSent(loaded / total));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText));
      else reject(new ApiProblem(request.status, problemOf(request.status, request.responseText)));
    });
    request.addEventListener("error", () =>
      reject(
        new ApiProblem(
          0,
          "Cannot send the file: the connection broke off; it may be too large, or the service may have stopped",
        ),
      ));
    request.addEventListener("abort", () => reject(signal.reason));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/** @param {Response} response */
async function readProblem(response) {
  return problemOf(response.status, await response.text());
}

/**
 * @param {number} status
 * @param {string} text of the response
 */
function problemOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    if (typeof error === "string") return error;
  } catch {
    // Not a response of the service.
  }
  return `The service answered ${status}`;
}

/**
 * Returns a query string without empty values.
 * @param {Readonly<Record<string, string | number | null | undefined>>} values
 */
export function toQuery(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * Returns the message of a failure.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
