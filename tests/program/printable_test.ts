import { deepEqual, equal } from "node:assert/strict";
import { parse } from "smol-toml";
import { printable, printableJson, printableText } from "#foundation/messages/mod.ts";
import { entryText } from "#program/commands/setup/server_entry.ts";
import { printableMessage } from "#program/say.ts";

Deno.test("printable() makes every control character visible and keeps everything else", () => {
  const controls = ["\u0000", "\t", "\n", "\r", "\u001b[31m", "\u007f", "\u009b31m", "\u0085"];
  deepEqual(controls.map(printable), ["␀", "␉", "␊", "␍", "␛[31m", "␡", "�31m", "�"]);
  equal(printable("备份 é😀.md"), "备份 é😀.md");
});

Deno.test("printableText() keeps tabs and line feeds", () => {
  equal(printableText("a\tb\nc\r\u001b]0;title\u0007"), "a\tb\nc␍␛]0;title␇");
});

Deno.test("printableMessage() replaces control characters in the parameters, not in the message", () => {
  equal(
    printableMessage("en", "cli_updated", { dir: "a\nb\u001b", new: 1, changed: 2, renamed: 3, removed: 4 }),
    "Updated the index of a␊b␛: 1 new, 2 changed, 3 renamed, 4 removed",
  );
  equal(printableMessage("zh", "cli_help_program").includes("\n"), true);
});

Deno.test("printable() shows characters that reverse, break or hide text, and keeps joiners in scripts that need them", () => {
  const forging = [
    "\u202e",
    "\u2066",
    "\u200f",
    "\u061c",
    "\u2028",
    "\ufeff",
    "\ufff9",
    "\u{e0041}",
    "\u206a",
  ];
  const shown = "<U+202E> <U+2066> <U+200F> <U+061C> <U+2028> <U+FEFF> <U+FFF9> <U+E0041> <U+206A>";
  equal(printable(forging.join(" ")), shown);
  equal(printableText(forging.join(" ")), shown);
  // Arabic, Hebrew, Persian and Hindi with joiners, emoji made of several, a Chinese character in a chosen form
  const joined = ["می\u200cخواهم", "क्\u200dष", "👩\u200d🚀 ❤\ufe0f", "葛\u{e0100}", "so\u00adft"];
  for (const text of ["شاي أخضر", "תה ירוק", ...joined]) {
    equal(printable(text), text);
    equal(printableText(text), text);
  }
  // bytes hidden in variation selectors behind a letter
  equal(printable("a\u{e0100}\u{e0101}\ufe00"), "a\u{e0100}<U+E0101><U+FE00>");
});

Deno.test("printableJson() gives an equal document without control characters", () => {
  const value = { "a\u202e": "\u009b31m\u007f\u{e0041}\u001b\n\t茶" };
  const json = printableJson(JSON.stringify(value, null, 2));
  equal(json, `{\n  "a\\u202e": "\\u009b31m\\u007f\\udb40\\udc41\\u001b\\n\\t茶"\n}`);
  deepEqual(JSON.parse(json), value);
});

Deno.test("entryText() gives an equal file without control characters", () => {
  const entry = { command: "muxue_rag", args: ["--dir", "/a\u202e\u009b\u{e0041}"] };
  const json = entryText({ format: "json", servers: "servers" }, "it", entry);
  const toml = entryText({ format: "toml", servers: "servers" }, "it", entry);
  for (const text of [json, toml]) equal(printableText(text), text);
  deepEqual(JSON.parse(json), { servers: { it: entry } });
  // Tables of TOML have no prototype.
  deepEqual(structuredClone(parse(toml)), { servers: { it: entry } });
});
