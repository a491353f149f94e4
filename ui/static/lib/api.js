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
 * @param {{ signal?: AbortSignal, keep?: (entry: T) => U }} [options] `keep` is what is kept of an entry
 * @returns {Promise<U[]>}
 */
export async function getList(path, { keep, ...options } = {}) {
  const page = (/** @type {number} */ offset) =>
    getJson(`${path}${path.includes("?") ? "&" : "?"}limit=${PAGE}&offset=${offset}`, options);
  return await readPages(page, { size: PAGE, keep });
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

/** @param {Response} response */
async function readProblem(response) {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    if (typeof error === "string") return error;
  } catch {
    // Not one of our own answers.
  }
  return `The service answered ${response.status}`;
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
