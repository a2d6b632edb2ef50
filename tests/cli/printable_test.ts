import { deepEqual, equal } from "node:assert/strict";
import { printable, printableText } from "../../lib/messages.ts";
import { say } from "../../lib/cli/say.ts";

Deno.test("printable() makes every control character visible and leaves all else", () => {
  const controls = ["\u0000", "\t", "\n", "\r", "\u001b[31m", "\u007f", "\u009b31m", "\u0085", "\u2028"];
  deepEqual(controls.map(printable), ["␀", "␉", "␊", "␍", "␛[31m", "␡", "�31m", "�", "�"]);
  equal(printable("备份 é😀.md"), "备份 é😀.md");
});

Deno.test("printableText() keeps tabs and line feeds", () => {
  equal(printableText("a\tb\nc\r\u001b]0;title\u0007"), "a\tb\nc␍␛]0;title␇");
});

Deno.test("say() cleans what is put into a message, not the message", () => {
  equal(
    say("en", "cli_updated", { dir: "a\nb\u001b", new: 1, changed: 2, renamed: 3, removed: 4 }),
    "Index updated a␊b␛: 1 new, 2 changed, 3 renamed, 4 removed",
  );
  equal(say("zh", "cli_help_program").includes("\n"), true);
});
