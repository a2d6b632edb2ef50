import { deepEqual } from "node:assert/strict";
import { cutToWidth, displayWidth } from "../../lib/cli/display_width.ts";

Deno.test("displayWidth() counts two columns for wide characters and none for colours and combining marks", () => {
  deepEqual(
    ["", "abc", "索引", "ａ！", "é e\u0301", "\u001b[31mred\u001b[39m", "📄", "█░…"].map(displayWidth),
    [
      0,
      3,
      4,
      4,
      3,
      3,
      2,
      3,
    ],
  );
});

Deno.test("cutToWidth() never exceeds the given columns", () => {
  deepEqual(
    [["abc", 3], ["abcd", 3], ["索引目录", 5], ["索引目录", 4], ["索引", 4]].map(([text, columns]) =>
      cutToWidth(String(text), Number(columns))
    ),
    ["abc", "ab…", "索引…", "索…", "索引"],
  );
});
