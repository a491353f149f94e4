/** The handlers, loaded on the first call. */
export { giveCertificate, take } from "./send.ts";
