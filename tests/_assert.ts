/**
 * `node:assert/strict`, to which deno.dev.json maps here: in Deno 2.8 and 2.9 only its default export is strict, and its named
 * functions accept `equal(1, "1")`.
 * @module
 */
export {
  AssertionError,
  deepStrictEqual as deepEqual,
  doesNotMatch,
  doesNotReject,
  doesNotThrow,
  fail,
  match,
  notDeepStrictEqual as notDeepEqual,
  notStrictEqual as notEqual,
  ok,
  rejects,
  strict as default,
  strictEqual as equal,
  throws,
} from "node:assert";
