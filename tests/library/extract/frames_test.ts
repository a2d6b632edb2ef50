import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeFrame, FrameDecoder } from "#library/extract/frames.ts";

Deno.test("messages are decoded as they were encoded, however the stream is divided", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.jsonValue(), fc.uint8Array({ maxLength: 300 })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 50 }),
      (messages, size) => {
        const stream = messages.flatMap(([header, body]) => [...encodeFrame(header, body)]);
        const decoder = new FrameDecoder(10_000);
        const found = [];
        for (let at = 0; at < stream.length; at += size) {
          for (const { header, body } of decoder.push(Uint8Array.from(stream.slice(at, at + size)))) {
            found.push([header, [...body]]);
          }
        }
        assert.deepEqual(
          found,
          messages.map(([header, body]) => [JSON.parse(JSON.stringify(header)), [...body]]),
        );
      },
    ),
  );
});

Deno.test("a message that announces too many bytes is rejected before memory is allocated", () => {
  const decoder = new FrameDecoder(1000);
  const prefix = new Uint8Array(8).fill(0xff);
  assert.throws(() => [...decoder.push(prefix)], RangeError);
});
