/** Codes and links of the held emails: fetched once, then only for new emails. */
import { useEffect, useState } from "../../lib/dom.js";
import { getList } from "../../lib/api.js";
import { onLive } from "../../lib/live.js";

/** @import { Extracted, FullEvent } from "../../lib/types.d.ts" */

/** Time that new emails are collected before their codes and links are fetched, in milliseconds. */
const GATHER_MS = 250;
const PATH = "/events?plugin=mail&include_payload=0&include_extracted=1";

/** @param {FullEvent} event */
const keep = ({ id, extracted }) => ({ id, extracted });

/**
 * Codes and links by event id; emails without any are left out.
 * @returns {ReadonlyMap<string, Extracted>}
 */
export function useExtracted() {
  const [found, setFound] = useState(/** @type {ReadonlyMap<string, Extracted>} */ (new Map()));
  useEffect(() => {
    const ended = new AbortController();
    let newest = "";
    let timer = 0;
    const load = async () => {
      timer = 0;
      const after = newest === "" ? "" : `&after=${newest}`;
      try {
        const list = await getList(PATH + after, { signal: ended.signal, keep });
        if (ended.signal.aborted || list.length === 0) return;
        newest = list[0]?.id ?? newest;
        const more = list.flatMap(({ id, extracted }) =>
          extracted !== undefined && extracted.codes.length + extracted.links.length > 0
            ? [/** @type {const} */ ([id, extracted])]
            : []
        );
        if (more.length > 0) setFound((known) => new Map([...known, ...more]));
      } catch {
        // The list reports that the service is unreachable; the next email tries again.
      }
    };
    void load();
    const again = () => {
      if (timer === 0) timer = setTimeout(load, GATHER_MS);
    };
    const stop = onLive({
      changed: (changes) => {
        if (changes.some((one) => one.kind === "captured" && one.event.plugin === "mail")) again();
      },
      resync: again,
    });
    return () => {
      ended.abort();
      clearTimeout(timer);
      stop();
    };
  }, []);
  return found;
}
