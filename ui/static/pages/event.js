/** The page of one event. */
import { html, useEffect, useState } from "../lib/dom.js";
import { ApiProblem, getJson, messageOf, remove } from "../lib/api.js";
import { onLive } from "../lib/live.js";
import { navigate } from "../lib/router.js";
import { pluginNamed } from "../lib/store.js";
import { markRead } from "../lib/unread.js";
import { confirm } from "../components/dialog.js";
import { EventDetail } from "../components/event_detail.js";
import { Page, Problem } from "../components/page.js";
import { toast } from "../components/toast.js";
import { NotFoundPage } from "./not_found.js";

/** @import { FullEvent } from "../lib/types.d.ts" */

/**
 * Fetches an event, and notices its deletion.
 * @param {string | null} id
 * @returns {{ event?: FullEvent, problem?: string, gone?: boolean }}
 */
export function useEvent(id) {
  const [state, setState] = useState(
    /** @type {{ id?: string | null, event?: FullEvent, problem?: string, gone?: boolean }} */ ({}),
  );
  useEffect(() => {
    if (id === null) return;
    const ended = new AbortController();
    let loading = false;
    let isStale = false;
    let isSeen = false;
    const load = async () => {
      isStale = true;
      if (loading) return;
      loading = true;
      // A change during a request may not be in its response.
      while (isStale && !ended.signal.aborted) {
        isStale = false;
        try {
          const event = await getJson(`/events/${encodeURIComponent(id)}`, {
            signal: ended.signal,
          });
          setState({ id, event });
          if (!isSeen) markRead([event.id]);
          isSeen = true;
        } catch (error) {
          const gone = error instanceof ApiProblem && error.status === 404;
          if (!ended.signal.aborted) {
            setState(gone ? { id, gone } : { id, problem: messageOf(error) });
          }
        }
      }
      loading = false;
    };
    void load();
    const stop = onLive({
      changed: (changes) => {
        for (const change of changes) {
          if (change.kind === "deleted" && change.id === id) setState({ id, gone: true });
        }
        if (changes.some(({ kind }) => kind === "cleared")) void load();
      },
      // It may have been deleted in the meantime.
      resync: () => void load(),
    });
    return () => {
      ended.abort();
      stop();
    };
  }, [id]);
  // The previous event must not be shown as this one.
  return state.id === id ? state : {};
}

/**
 * Asks, then deletes one event.
 * @param {{ id: string, summary: string }} event
 * @param {() => void} [then]
 */
export function askToDelete(event, then = () => {}) {
  confirm({
    title: "Delete this event?",
    text:
      `“${event.summary}” is deleted for everyone who uses this service. This cannot be undone.`,
    action: "Delete",
    run: async () => {
      try {
        await remove(`/events/${encodeURIComponent(event.id)}`);
        toast("Deleted");
        then();
      } catch (error) {
        toast(messageOf(error), { problem: true });
      }
    },
  });
}

/** @param {{ id: string }} props */
export function EventPage({ id }) {
  const { event, problem, gone } = useEvent(decode(id));
  if (gone) {
    return html`
      <${NotFoundPage} title="Event no longer held"
        text="It was deleted, or replaced by newer events: only the newest of each plugin are kept." />
    `;
  }
  const title = event === undefined ? "Event" : pluginNamed(event.plugin)?.title ?? event.plugin;
  const back = event === undefined ? "/ui/events/" : `/ui/${event.plugin}/`;
  const tools = event && html`<a class="button" href=${back}>All of ${title}</a>`;
  return html`
    <${Page} title=${title} tools=${tools}>
      <div class="page-scroll">
        <${Problem} text=${problem} />
        ${event &&
          html`<${EventDetail} event=${event} onDelete=${() =>
            askToDelete(event, () => navigate(back))} />`}
      </div>
      <//>
  `;
}

/** @param {string} segment */
function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
