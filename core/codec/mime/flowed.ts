/**
 * Flowed text: RFC 3676 section 4. A line that ends in a blank continues on the next; a leading blank is stuffing; ">"
 * counts the depth of a quotation, which a paragraph never crosses; "-- " is the signature separator.
 */

/** Joins the lines of each paragraph; `delSp` removes the blank at which a line was broken. Line ends are LF. */
export function decodeFlowed(text: string, options: { delSp: boolean }): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let depth = 0;
  const flush = (): void => {
    if (paragraph.length === 0) return;
    out.push((depth > 0 ? ">".repeat(depth) + " " : "") + paragraph.join(""));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const quoted = /^>*/.exec(line)![0].length;
    const content = line.slice(quoted).replace(/^ /, "");
    if (quoted !== depth) flush();
    depth = quoted;
    if (content === "-- ") {
      flush();
      paragraph.push(content);
      flush();
    } else if (content.endsWith(" ")) {
      paragraph.push(options.delSp ? content.slice(0, -1) : content);
    } else {
      paragraph.push(content);
      flush();
    }
  }
  flush();
  return out.join("\n");
}
