/** The rows of the inbox: fetched under the filters of the address, then kept fresh by the stream. */
import { computed, useEffect, useRef, useState } from "../../lib/dom.js";
import { getList, messageOf, toQuery } from "../../lib/api.js";
import { gatherDuring, onLive } from "../../lib/live.js";
import { events } from "../../lib/store.js";

/** @import { Change } from "../../lib/live.js" */
/** @import { Address, FullEvent, MailMessage, MailView } from "../../lib/types.d.ts" */

/** Parameters of the address that are filters; the list route takes the same. */
export const FILTERS = /** @type {const} */ ([
  "search",
  "from",
  "to",
  "subject",
  "provider",
  "has_attachments",
]);

/**
 * @typedef {object} MailRow
 * @property {string} id
 * @property {string} provider
 * @property {string} received_at
 * @property {Address} from
 * @property {string} subject
 * @property {string} snippet
 * @property {number} attachments how many
 */

/** Time that changes are gathered before a filtered list is fetched again, in milliseconds. */
const REFETCH_MS = 250;

/**
 * @param {URLSearchParams} query
 * @returns {{ rows?: readonly MailRow[], problem?: string }}
 */
export function useMessages(query) {
  const conditions = toQuery(Object.fromEntries(FILTERS.map((name) => [name, query.get(name)])));
  const [state, setState] = useState(
    /** @type {{ rows?: readonly MailRow[], problem?: string }} */ ({}),
  );
  const isFiltered = useRef(false);
  isFiltered.current = conditions !== "";
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    const path = `/mail/messages${conditions}${conditions === "" ? "?" : "&"}include_body=0`;
    const load = async () => {
      clearTimeout(timer);
      timer = 0;
      try {
        const { value: rows, missed } = await gatherDuring(() =>
          getList(path, { signal: ended.signal, keep: toRow })
        );
        if (ended.signal.aborted) return;
        setState({ rows: isFiltered.current ? rows : apply(rows, missed.filter(concernsMail)) });
      } catch (error) {
        if (!ended.signal.aborted) setState((last) => ({ ...last, problem: messageOf(error) }));
      }
    };
    void load();
    const stop = onLive({
      changed: (changes) => {
        const mine = changes.filter((change) => concernsMail(change));
        if (mine.length === 0) return;
        // Which events pass a filter is for the service to say.
        if (isFiltered.current && timer === 0) timer = setTimeout(() => void load(), REFETCH_MS);
        if (!isFiltered.current) {
          setState((last) => last.rows === undefined ? last : { rows: apply(last.rows, mine) });
        }
      },
      resync: () => void load(),
    });
    return () => {
      ended.abort();
      clearTimeout(timer);
      stop();
    };
  }, [conditions]);
  return state;
}

const snippets = computed(() => {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { id, plugin, summary_parts } of events.value) {
    if (plugin === "mail") found.set(id, summary_parts.snippet ?? "");
  }
  return found;
});

/**
 * The beginning of a message, from the index of all events: the list is fetched without bodies.
 * @param {MailRow} row
 */
export function snippetOf(row) {
  return snippets.value.get(row.id) ?? row.snippet;
}

/** @param {Change} change */
function concernsMail(change) {
  if (change.kind === "captured") return change.event.plugin === "mail";
  return change.plugin === undefined || change.plugin === "mail";
}

/**
 * @param {readonly MailRow[]} rows
 * @param {readonly Change[]} changes
 */
function apply(rows, changes) {
  let result = rows;
  /** @type {Set<string> | undefined} */
  let known;
  for (const change of changes) {
    if (change.kind === "cleared") {
      result = [];
      known = undefined;
    } else if (change.kind === "deleted") {
      result = result.filter(({ id }) => id !== change.id);
      known = undefined;
    } else {
      known ??= new Set(result.map(({ id }) => id));
      if (known.has(change.event.id)) continue;
      known.add(change.event.id);
      const { held } = change.event;
      result = [rowOfEvent(change.event), ...result];
      if (held !== undefined && result.length > held) result = result.slice(0, held);
    }
  }
  return result;
}

/** @param {MailView} view */
function toRow({ id, provider, received_at, message }) {
  return toRowOf(message, { id, provider, received_at, snippet: "" });
}

/** @param {FullEvent} event */
function rowOfEvent({ id, provider, received_at, payload, summary_parts }) {
  const message = /** @type {MailMessage} */ (payload);
  return toRowOf(message, { id, provider, received_at, snippet: summary_parts.snippet ?? "" });
}

/**
 * @param {MailMessage} message
 * @param {Pick<MailRow, "id" | "provider" | "received_at" | "snippet">} about
 * @returns {MailRow}
 */
function toRowOf(message, about) {
  return {
    ...about,
    from: message.from,
    subject: message.subject ?? "",
    attachments: message.attachments?.length ?? 0,
  };
}
