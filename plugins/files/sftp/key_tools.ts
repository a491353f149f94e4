/** Key functions of ssh2, without its server: loaded when a key is first generated, read or checked. */
// @ts-types="./ssh2.d.ts"
export { utils } from "ssh2";
