/** What was captured while the page is open, for screen readers. */
import { html, useEffect, useState } from "../lib/dom.js";
import { formatCount } from "../lib/format.js";
import { onLive } from "../lib/live.js";
import { pluginNamed } from "../lib/store.js";

/** Time in which new events are announced together, in milliseconds. */
const TOGETHER_MS = 2000;

/** A hidden text such as "2 new in Mail, 1 new in SMS". */
export function News() {
  const [text, setText] = useState("");
  useEffect(() => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    let timer = 0;
    const announce = () => {
      timer = 0;
      const parts = [...counts].map(([plugin, count]) =>
        `${formatCount(count)} new in ${pluginNamed(plugin)?.title ?? plugin}`
      );
      counts.clear();
      setText(parts.join(", "));
    };
    const stop = onLive({
      changed(changes) {
        for (const change of changes) {
          if (change.kind !== "captured") continue;
          const { plugin } = change.event;
          counts.set(plugin, (counts.get(plugin) ?? 0) + 1);
        }
        if (counts.size === 0 || timer !== 0) return;
        // Otherwise the same text would not be read again.
        setText("");
        timer = setTimeout(announce, TOGETHER_MS);
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return html`<p class="hidden" role="status">${text}</p>`;
}
