/** Scrolling for lists that grow at their end. */
import { useEffect, useLayoutEffect, useRef } from "./dom.js";

/** Pixels from the end that still count as the end. */
const NEAR = 80;

/**
 * Keeps the end of a growing box visible unless the reader has scrolled away, and scrolls to the item marked
 * `aria-current` when the selection changes.
 * @param {{ current: HTMLElement | null }} box
 * @param {{ newest: string | undefined, selected: string | null }} shown ids
 */
export function useKeepEnd(box, { newest, selected }) {
  const atEnd = useRef(true);
  const revealed = useRef(/** @type {string | null} */ (null));
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const current = element.querySelector("[aria-current]");
    if (current !== null && selected !== revealed.current) {
      revealed.current = selected;
      current.scrollIntoView({ block: "nearest" });
    } else if (atEnd.current) element.scrollTop = element.scrollHeight;
  }, [newest, selected]);
}
