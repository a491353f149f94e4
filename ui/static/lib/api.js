/** Calls of the read-back API, limited to the namespace that is looked at. */
import { scoped } from "./namespace.js";
import { readPages } from "./paged.js";

/** An answer other than the one hoped for; `status` 0 means that none came. */
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

/** Entries asked for at once: to read many more would keep the page from answering for longer than a frame or two. */
const PAGE = 1000;

/**
 * A whole list, in pages.
 * @template {{ readonly id: string }} T
 * @template [U=T]
 * @param {string} path below `/api/v1`
 * @param {{ signal?: AbortSignal, most?: number | undefined, keep?: (entry: T) => U }} [options] `most` is how many entries
 *   are wanted, all unless given; `keep` is what is kept of an entry
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
export async function remove(path) {
  await call(scoped(path), { method: "DELETE" });
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
 * Sends a file, and tells how much of it is on its way: `fetch` cannot say that.
 * @param {string} path below `/api/v1`
 * @param {File} file
 * @param {{ signal: AbortSignal, onSent: (share: number) => void }} options `share` goes from 0 to 1
 * @returns {Promise<unknown>} the answer
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
          "Cannot send the file: the connection broke; the file may be too large, or the service gone",
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
 * @param {string} text of the answer
 */
function problemOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    if (typeof error === "string") return error;
  } catch {
    // Not one of our own answers.
  }
  return `The service answered ${status}`;
}

/**
 * Query text from what is given; empty values are left out.
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
 * What to tell people about a failure.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
