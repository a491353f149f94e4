/** The rows of the inbox: fetched with the filters of the address, then kept fresh by the stream. */
import { computed, useEffect, useRef, useState } from "../../lib/dom.js";
import { getList, messageOf } from "../../lib/api.js";
import { gatherDuring, onLive } from "../../lib/live.js";
import { events } from "../../lib/store.js";
import { isInline } from "./attachments.js";

/** @import { Change } from "../../lib/live.js" */
/** @import { Address, FullEvent, MailMessage, MailView } from "../../lib/types.d.ts" */

/**
 * @typedef {object} MailRow
 * @property {string} id
 * @property {string} provider
 * @property {string} received_at
 * @property {Address} from
 * @property {string} subject
 * @property {string} snippet
 * @property {Address | undefined} to the first recipient
 * @property {readonly Address[]} recipients all of them
 * @property {number} files attachments but the inline ones
 * @property {number} pictures inline ones
 * @property {number} size bytes as received
 */

/** The list without filters. */
const WHOLE = "/mail/messages?include_body=0";
/** Time that changes are collected before a filtered list is fetched again, in milliseconds. */
const REFETCH_MS = 250;

/**
 * @param {string} path of the list with its filters
 * @returns {{ value?: readonly MailRow[], problem?: string }}
 */
export function useMessages(path) {
  const [state, setState] = useState(
    /** @type {{ value?: readonly MailRow[], problem?: string }} */ ({}),
  );
  const isFiltered = useRef(false);
  isFiltered.current = path !== WHOLE;
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    const load = async () => {
      clearTimeout(timer);
      timer = 0;
      try {
        const { value: rows, missed } = await gatherDuring(() =>
          getList(path, { signal: ended.signal, keep: toRow })
        );
        if (ended.signal.aborted) return;
        setState({ value: isFiltered.current ? rows : apply(rows, missed.filter(concernsMail)) });
      } catch (error) {
        if (!ended.signal.aborted) setState((last) => ({ ...last, problem: messageOf(error) }));
      }
    };
    void load();
    const stop = onLive({
      changed: (changes) => {
        const mine = changes.filter((change) => concernsMail(change));
        if (mine.length === 0) return;
        // Only the service knows which events pass a filter.
        if (isFiltered.current && timer === 0) timer = setTimeout(() => void load(), REFETCH_MS);
        if (!isFiltered.current) {
          setState((last) => last.value === undefined ? last : { value: apply(last.value, mine) });
        }
      },
      resync: () => void load(),
    });
    return () => {
      ended.abort();
      clearTimeout(timer);
      stop();
    };
  }, [path]);
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
 * Returns the beginning of a message from the index of all events, because the list is fetched without bodies.
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
function toRow({ id, provider, received_at, size, message }) {
  return toRowOf(message, { id, provider, received_at, size, snippet: "" });
}

/** @param {FullEvent} event */
function rowOfEvent({ id, provider, received_at, raw: { size }, payload, summary_parts }) {
  const message = /** @type {MailMessage} */ (payload);
  return toRowOf(message, {
    id,
    provider,
    received_at,
    size,
    snippet: summary_parts.snippet ?? "",
  });
}

/**
 * @param {MailMessage} message
 * @param {Pick<MailRow, "id" | "provider" | "received_at" | "size" | "snippet">} about
 * @returns {MailRow}
 */
function toRowOf({ from, to = [], cc = [], bcc = [], subject = "", attachments = [] }, about) {
  const recipients = [...to, ...cc, ...bcc];
  const pictures = attachments.filter(isInline).length;
  return {
    ...about,
    from,
    to: recipients[0],
    recipients,
    subject,
    files: attachments.length - pictures,
    pictures,
  };
}
