/** Webhooks of a shop: an order as JSON, a form, and a file. */
import { jsonRequest } from "../../core/demo.ts";
import type { DemoSample } from "../../core/plugin.ts";

const BOUNDARY = "lovelace-7f3a";
const UPLOAD = [
  `--${BOUNDARY}`,
  'content-disposition: form-data; name="order"',
  "",
  "2026-0417",
  `--${BOUNDARY}`,
  'content-disposition: form-data; name="label"; filename="label.zpl"',
  "content-type: application/octet-stream",
  "",
  "^XA^FO50,50^FDLovelace Books^FS^XZ",
  `--${BOUNDARY}--`,
  "",
].join("\r\n");

/** Requests to three names. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "hook",
    what: "An order as JSON, signed",
    async send(to) {
      await to.request(
        "/hook/orders",
        jsonRequest({
          event: "order.paid",
          order: { id: "2026-0417", total: 42.5, currency: "EUR" },
          link: "https://lovelace-books.example/orders/2026-0417",
        }, { "x-signature": "sha256=9d5a2c" }),
      );
    },
  },
  {
    provider: "hook",
    what: "A form with a one-time code",
    async send(to) {
      await to.request("/hook/login?lang=en", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "user=ada&text=Your+code+is+482913",
      });
    },
  },
  {
    provider: "hook",
    what: "A multipart body with a file",
    async send(to) {
      await to.request("/hook/warehouse/labels", {
        method: "PUT",
        headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
        body: UPLOAD,
      });
    },
  },
];
