/** Style sheets of modules. */

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/**
 * Loads a style sheet once. A tab awaits it at the top of its module, so that it never renders without.
 * @param {string} name below `/ui/assets/`
 * @returns {Promise<void>}
 */
export function loadStyles(name) {
  let loading = loaded.get(name);
  if (loading === undefined) {
    loading = new Promise((resolve) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = `/ui/assets/${name}`;
      link.onload = link.onerror = () => resolve();
      document.head.append(link);
    });
    loaded.set(name, loading);
  }
  return loading;
}
