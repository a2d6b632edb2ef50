import { deepEqual } from "node:assert/strict";
import { constantOf } from "#models/neural/onnx.ts";

/** −2 as the format writes it, with 64 bits. */
const MINUS_2 = [0xfe, ...new Uint8Array(8).fill(0xff), 1];

Deno.test("numbers of a constant keep their sign, packed or one by one", () => {
  const shape = [0x08, 2], int8 = [0x10, 3];
  const packed = Uint8Array.from([...shape, ...int8, 0x2a, 11, ...MINUS_2, 5]);
  const single = Uint8Array.from([...shape, ...int8, 0x28, ...MINUS_2, 0x28, 5]);
  const constant = { type: "int8", shape: [2], values: Int8Array.of(-2, 5) };
  deepEqual([packed, single].map(constantOf), [["", constant], ["", constant]]);
});

Deno.test("a constant may have hundreds of thousands of numbers in one list", () => {
  const count = 0x40000;
  const head = [0x08, 0x80, 0x80, 0x10, 0x10, 3, 0x2a, 0x80, 0x80, 0x10];
  const [, constant] = constantOf(Uint8Array.from([...head, ...new Uint8Array(count).fill(7)]));
  deepEqual(constant, { type: "int8", shape: [count], values: new Int8Array(count).fill(7) });
});
