import { deepEqual } from "node:assert/strict";
import { shownText } from "../../../lib/library/ask/shown_text.ts";

Deno.test("links, pictures, HTML and invisible characters do not reach a reader", () => {
  const cases: readonly [text: string, shown: string, links: number][] = [
    ["See [the page](https://e.test/a?b=1).", "See the page †.", 1],
    ["![](http://e.test/x.png)Yes.", "†Yes.", 1],
    ["[click][1] [2][3]", "click † [2][3]", 1],
    ["[1]: http://e.test/a", "†", 1],
    ["Go to www.e.test/a, or http://e.test。好", "Go to † or †。好", 2],
    ["Write to mailto:a@e.test or <https://e.test>", "Write to † or †", 2],
    ["example.com/path is it, example.com is not", "† is it, example.com is not", 1],
    ["a<script>b</script><img src=x onerror=y>c<!-- d -->e", "abce", 0],
    ["x < 5 and y > 3", "x < 5 and y > 3", 0],
    ["unclosed <a href='x", "unclosed ", 0],
    ["a\u200bb\u202ec\u{e0041}d\u001b[31me", "abcd[31me", 0],
    ["a<scr<b>ipt>b</scr</b>ipt>c", "abc", 0],
    ["![![a](b)](//e.test)", "a † †", 2],
    [
      `${"[".repeat(9)}a${"](//e.test)".repeat(9)}`,
      "a † † † †(//e.test)(//e.test)(//e.test)(//e.test)(//e.test)",
      4,
    ],
    ["java\u200bscript:alert(1)", "†", 1],
    ["www<b>.e.test", "†", 1],
    ["<<b>script>x", "x", 0],
    ["<[a](http://e.test)b>c", "c", 1],
    ["<".repeat(9) + "b>".repeat(9), "bbbbb", 0],
  ];
  deepEqual(
    cases.map(([text]) => shownText(text, "†")),
    cases.map(([, text, links]) => ({ text, links })),
  );
});

Deno.test("the Chinese words for a removed link stand without spaces", () => {
  const shown = (text: string) => shownText(text, "（链接已移除）").text;
  deepEqual(shown("更多信息见 https://e.test/a 。"), "更多信息见（链接已移除）。");
  deepEqual(
    shown("见 [主页](//e.test) 和 www.e.test，或 example.com/a"),
    "见 主页（链接已移除）和（链接已移除），或（链接已移除）",
  );
  deepEqual(shown("没有 链接"), "没有 链接");
});
