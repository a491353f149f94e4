/** What ssh2 does with keys, apart from its server: loaded when a key is first made, read or checked. */
// @ts-types="./ssh2.d.ts"
export { utils } from "ssh2";
