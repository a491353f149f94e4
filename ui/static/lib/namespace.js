/** The namespace shown, for tests that share the service. Each browser window has its own choice. */
import { signal } from "./dom.js";

const KEY = "standin.namespace";

/** The namespace that lists are limited to; empty for all. */
export const namespace = signal(readChoice());

/** Namespaces of the held events, sorted by name. */
export const namespaces = signal(/** @type {readonly string[]} */ ([]));

function readChoice() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} value empty for all */
export function keepNamespace(value) {
  namespace.value = value;
  try {
    if (value === "") sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  } catch {
    // The choice then lasts until the page closes.
  }
}

/** @param {string | undefined} name of an event that has come */
export function noteNamespace(name) {
  if (name === undefined || namespaces.peek().includes(name)) return;
  namespaces.value = [...namespaces.peek(), name].sort();
}

/** Paths that accept a namespace; every other route refuses the parameter. */
const SCOPED = /^\/(events|stories|export|chat\/channels|[a-z0-9]+\/messages)(\?|$)/;

/**
 * Adds the chosen namespace to a path that accepts one.
 * @param {string} path below `/api/v1`
 */
export function scoped(path) {
  if (namespace.peek() === "" || !SCOPED.test(path)) return path;
  return `${path}${path.includes("?") ? "&" : "?"}namespace=${
    encodeURIComponent(namespace.peek())
  }`;
}
