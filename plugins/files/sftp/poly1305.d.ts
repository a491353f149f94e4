/** Types of the SSH library's Poly1305 in WebAssembly, as far as used: the package has no declarations. */
export interface Poly1305 {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  cwrap(
    name: "poly1305_auth",
    result: null,
    parameters: readonly ("number" | "array")[],
  ): (
    tagAt: number,
    first: Uint8Array,
    firstBytes: number,
    second: Uint8Array,
    secondBytes: number,
    key: Uint8Array,
  ) => void;
}
declare function load(): Promise<Poly1305>;
// The module exports this function and nothing else.
export { load as default };
