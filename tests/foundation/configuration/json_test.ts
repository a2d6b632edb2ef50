import { equal, notEqual } from "node:assert/strict";
import fc from "fast-check";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { parseConfig } from "#foundation/configuration/parse.ts";
import { problemLine } from "#foundation/configuration/check_config.ts";
import { assertFuzzed } from "../../_fuzz.ts";
import { CHINESE, complaint, folder } from "./_load.ts";

/** The lines of the JSON syntax errors in a text. */
async function jsonErrors(text: string): Promise<string[]> {
  const { problems } = await parseConfig(text, "my.json", "json");
  return problems.filter(({ phrase }) => /^config_(?:json|yaml)_/.test(phrase.key))
    .map((problem) => problemLine("en", problem));
}

Deno.test("parseConfig() reports a JSON syntax error for the texts that JSON.parse() refuses", async () => {
  const pieces = ["", ...Array.from(',}["\\1 x:.-\t/#\u00a0['), "//"];
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces))
    .map(([text, at, insert]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + insert + text.slice(cut + (at % 2));
    });
  const texts = fc.oneof(fc.json(), damaged, fc.string()).filter((text) => text.trim() !== "");
  await assertFuzzed(
    fc.asyncProperty(texts, async (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      const errors = await jsonErrors(text);
      // The YAML parser, which finds the positions, refuses a few JSON texts: a tab before the first value, for example.
      if (valid) equal(errors.some((line) => line.includes("JSON")), false, text);
      else notEqual(errors.length, 0, text);
    }),
    500,
  );
});

Deno.test("parseConfig() names the position and the kind of a JSON syntax error", async () => {
  const symbols = "JSON has texts in double quotes, numbers, true, false and null, and no comments";
  const cases: [string, string][] = [
    ['{"a": [1, 2,]}', "1:13 JSON syntax error: expected a value, found ]"],
    ['{"a": }', "1:7 JSON syntax error: expected a value, found }"],
    ['{"a" 1}', "1:6 JSON syntax error: expected a colon, found 1"],
    ['{"a": 1,}', "1:9 JSON syntax error: expected a key in double quotes, found }"],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 JSON syntax error: expected a comma or a closing bracket, found "'],
    ["[1 2]", "1:4 JSON syntax error: expected a comma or a closing bracket, found 2"],
    ["[01]", "1:3 JSON syntax error: expected a comma or a closing bracket, found 1"],
    ['{"a": {}', "1:9 JSON syntax error: expected a comma or }, found the end of the file"],
    ['{"a": [1', "1:9 JSON syntax error: expected a comma or ], found the end of the file"],
    ["{} {}", "1:4 JSON syntax error: expected the end of the file, found {"],
    ["[1.]", "1:4 JSON syntax error: expected a digit, found ]"],
    ['{"a": sk-secret}', `1:7 JSON syntax error: s cannot stand here; ${symbols}`],
    ["{'a': 1}", `1:2 JSON syntax error: ' cannot stand here; ${symbols}`],
    ['{"a": 1} // b', `1:10 JSON syntax error: / cannot stand here; ${symbols}`],
    ['{"a": "sk-secret', "1:7 syntax error: a quote or bracket is not closed"],
    [
      '{"a": "C:\\Users"}',
      "1:7 JSON syntax error: invalid escape in double quotes; write a backslash as \\\\",
    ],
    ['{"a": "\\u00g0"}', "1:7 JSON syntax error: invalid escape in double quotes; write a backslash as \\\\"],
    [
      '{"a": "b\tc"}',
      "1:7 JSON syntax error: control character (such as a tab) in double quotes; write it as an escape (\\t)",
    ],
  ];
  for (const [text, expected] of cases) {
    equal((await jsonErrors(text)).join("\n"), `my.json:${expected}`, text);
  }
  const [deep = ""] = await jsonErrors("[".repeat(500_000));
  equal(deep.replace(/:\d+ /, ":… "), "my.json:1:… syntax error: nested too deeply");
});

Deno.test("problems of a JSON file have its positions and the system's language", async () => {
  const json = async (text: string) => {
    await using work = await folder({ "my.json": text });
    return await loadConfig({ file: "my.json", cwd: work.dir, env: CHINESE });
  };
  equal((await json('{\r\n\t"search": {\r\n\t\t"top_k": 7\r\n\t}\r\n}')).config.search.top_k, 7);
  const cases: Record<string, string> = {
    '{"search": {"top_k": 5,}}': "my.json:1:24 JSON 语法错误：应为双引号中的键名，实为 }",
    '{\n\t"search": {\n\t\t"top_k": 0\n\t}\n}': "my.json:3:12 search.top_k：应为 1 到 100 之间的整数，实为 0",
    '{"search":\n{"top_k":5,"top_k":6}}': "my.json:2:12 search.top_k：重复的配置项，第一次出现在第 2 行",
  };
  for (const [text, expected] of Object.entries(cases)) {
    equal(await complaint(json(text)), `配置有误，共 1 处：\n${expected}`);
  }
});
