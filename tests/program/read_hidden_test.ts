import { deepEqual } from "node:assert/strict";
import { type HiddenLine, typeInto } from "#program/io.ts";

/** A hidden line after these pieces were typed. */
function typed(...pieces: string[]): HiddenLine {
  return pieces.reduce(typeInto, { text: "" });
}

Deno.test("typeInto() accepts a line in any pieces", () => {
  deepEqual(typed("sk-1", "23"), { text: "sk-123" });
  deepEqual(typed("sk-1", "23\r"), { text: "sk-123", end: "entered" });
  deepEqual(typed("密钥\nmore"), { text: "密钥", end: "entered" });
  deepEqual(typed("\r"), { text: "", end: "entered" });
});

Deno.test("typeInto() deletes characters and the whole line", () => {
  deepEqual(typed("abc\u007f\bX"), { text: "aX" });
  deepEqual(typed("a😀\u007f\u007f\u007f"), { text: "" });
  deepEqual(typed("wrong\u0015right"), { text: "right" });
});

Deno.test("typeInto() gives up at Ctrl-C, and at Ctrl-D on an empty line", () => {
  deepEqual(typed("abc\u0003"), { text: "", end: "given up" });
  deepEqual(typed("\u0004"), { text: "", end: "given up" });
  deepEqual(typed("abc\u0004d"), { text: "abcd" });
});
