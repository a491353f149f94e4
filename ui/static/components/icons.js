/** Icons, drawn on a grid of 24 with one stroke. */
import { html } from "../lib/dom.js";

/** @type {Readonly<Record<string, string>>} */
const PATHS = {
  overview: "M4 5h7v6H4zM13 5h7v10h-7zM4 13h7v6H4zM13 17h7v2h-7z",
  events: "M4 6h3M4 12h3M4 18h3M10 6h10M10 12h10M10 18h10",
  stories:
    "M4 6h6M17 6h3M4 12h2M13 12h7M4 18h9M12 6a1 1 0 1 0 3 0 1 1 0 1 0-3 0M8 12a1 1 0 1 0 3 0 1 1 0 1 0-3 0M15 18a1 1 0 1 0 3 0 1 1 0 1 0-3 0",
  mail: "M3 6h18v12H3zM3.5 7l8.5 6.5L20.5 7",
  sms: "M4 5h16v11h-8l-4.5 4v-4H4zM8 9.5h8M8 12.5h5",
  chat: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  push: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  files: "M3 6h6.5l2 2.5H21V19H3z",
  s3:
    "M4.5 6.5 6.5 20h11l2-13.5M4.5 6.5c0 1.5 3.4 2.5 7.5 2.5s7.5-1 7.5-2.5S16.100 4 12 4s-7.5 1-7.5 2.5z",
  hl7: "M3 12h4l2.5-6 4.5 12 2.5-6H21",
  snmp:
    "M12 12v9M8.5 21h7M12 9.5a1.5 1.5 0 1 0 0 .01M8 13.5a6 6 0 0 1 0-8M16 13.5a6 6 0 0 0 0-8M5 16a10 10 0 0 1 0-13M19 16a10 10 0 0 0 0-13",
  as2: "M4 8h13l-3-3M20 16H7l3 3",
  webhook: "M8 10a4 4 0 1 1 6.5 2L12 16.5M10 8.5 7 14a3.5 3.5 0 1 0 3 4h6.5a3.5 3.5 0 1 0-1-4.300",
  plugin: "M5 9h14v10H5zM9 9V5M15 9V5M9 14h6",
  rejected: "M12 3.5 21 19.5H3zM12 10v4.5M12 17v.01",
  faults: "M13 3 5.5 13.5H11L10 21l8-11h-5.5z",
  callbacks: "M20 7H9M12.5 3.5 9 7l3.5 3.5M4 17h11M11.5 13.5 15 17l-3.5 3.5",
  plus: "M12 5v14M5 12h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20",
  filter: "M4 6h16M7 12h10M10 18h4",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  check: "m5 12.5 4.5 4.5L19 7.5",
  trash: "M4.5 7h15M10 7V4h4v3M6.5 7l1 13h9l1-13M10.5 11v5.5M13.5 11v5.5",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V4M7 9l5-5 5 5M5 20h14",
  external: "M13 5h6v6M19 5l-8 8M17 14v5H5V7h5",
  paperclip:
    "m19 11-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.300a3 3 0 0 1 4.200 4.200l-7.700 7.700a1.4 1.4 0 0 1-2-2L14.5 7",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15 9.5v.01",
  desktop: "M3 5h18v11H3zM9 20h6M12 16v4",
  mobile: "M8 3h8v18H8zM11.5 18h1",
  sun:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  auto: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 4v16M12 8h5M12 12h8M12 16h5",
  help:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.300c-.7.4-1 .9-1 1.7v.5M12 17v.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M11 5l-7 7 7 7M4 12h16",
  close: "M6 6l12 12M18 6 6 18",
  chevron: "m9 6 6 6-6 6",
  down: "m6 9 6 6 6-6",
  link:
    "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6L12 7.200M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6l1.4-1.4",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  archive: "M6 3h8l4 4v14H6zM14 3v4h4M10 10h2M12 12h2M10 14h2M12 16h2",
  code: "m8.5 7-5 5 5 5M15.5 7l5 5-5 5",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  audio:
    "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  inbox: "M4 13.5 6.5 5h11L20 13.5V19H4zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20",
  warning: "M12 3.5 21 19.5H3zM12 10v4.5M12 17v.01",
  unread: "M3 6h11M21 11v7H3V6M3.5 7l8.5 6.5L17 9.7M19 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  pin: "M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V20",
  up: "m6 15 6-6 6 6",
  rows: "M4 5h16M4 9.7h16M4 14.3h16M4 19h16",
  terminal: "M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15H16",
};

/** @param {{ name: string, size?: number }} props plugins have an icon of their name, or a plug */
export function Icon({ name, size = 16 }) {
  return html`
    <svg class="icon" viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true">
      <path d=${PATHS[name] ?? PATHS.plugin} />
    </svg>
  `;
}

/** The mark of the product: two envelopes, one standing in for the other. */
export function Mark() {
  return html`
    <svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path class="mark-behind" d="M11 8h15v11h-2" />
      <path class="mark-front" d="M6 13h15v11H6z" />
      <path class="mark-front" d="m6.5 14 7 5 7-5" />
    </svg>
  `;
}
