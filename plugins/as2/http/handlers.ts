/** What answers the calls: loaded with the first one. */
export { giveCertificate, take } from "./send.ts";
