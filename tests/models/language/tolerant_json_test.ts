import { deepEqual, equal } from "node:assert/strict";
import { objectsIn, ThoughtFilter, withoutThoughts } from "#models/language/tolerant_json.ts";

/** The first object in an answer. */
const first = (answer: string) => objectsIn(answer).next().value;

Deno.test("objectsIn() reads the forms in which models write JSON", () => {
  const cases: [answer: string, object: unknown][] = [
    ['{"a": 1}', { a: 1 }],
    ['```json\n{"a": [1, 2]}\n```', { a: [1, 2] }],
    ['Here it is: {"a": "x"} as you wished.', { a: "x" }],
    ["{'a': 'it''s'}", undefined],
    ["{'a': 'it\\'s', 'b': \"say 'no'\"}", { a: "it's", b: "say 'no'" }],
    ["{'a': 'the tree's age', }", { a: "the tree's age" }],
    ["{a: 1, b-c: True, d: None,}", { a: 1, "b-c": true, d: null }],
    ['{"a": 1, // one\n "b": /* two */ 2}', { a: 1, b: 2 }],
    ["{“题”： 1}", undefined],
    ["{“题”: “梨”，“b”: 2}", { 题: "梨", b: 2 }],
    ['{"a": "two\nlines", "b": "\\u68a8\\n"}', { a: "two\nlines", b: "梨\n" }],
    ['The braces {of this} mean nothing: {"a": {"b": {}}}', { a: { b: {} } }],
    ['<think>Perhaps {"a": 0}?</think>{"a": 1}', { a: 1 }],
    ['Perhaps {"a": 0}?\n</think>\n\n{"a": 1}', { a: 1 }],
    ['{"a": "the tag </think> is closed"}', { a: "the tag </think> is closed" }],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
    ['<think>{"a": 1}', undefined],
    ['{"a": 1', undefined],
    ["[1, 2]", undefined],
    ["no JSON", undefined],
    ["", undefined],
  ];
  for (const [answer, object] of cases) deepEqual(first(answer), object, answer);
});

Deno.test("objectsIn() gives all objects of an answer, outer ones only", () => {
  deepEqual([...objectsIn('First {"a": {"b": 1}}, better {"c": 2}.')], [{ a: { b: 1 } }, { c: 2 }]);
});

Deno.test("objectsIn() ends soon on answers that are made to take long", () => {
  for (
    const part of [
      "{",
      "[",
      '{"a":',
      "{'",
      "{/*",
      "{//\n",
      "{ ",
      "'",
      "{a",
      "<think>",
      "</think>",
      '{"\\',
      "{1",
    ]
  ) {
    const answer = part.repeat(1_000_000 / part.length);
    deepEqual([...objectsIn(answer)].length <= 1, true, part);
    equal(typeof withoutThoughts(answer), "string");
  }
});

Deno.test("ThoughtFilter shows a text without the thoughts at its beginning, however it is cut into parts", () => {
  const cases: [answer: string, shown: string][] = [
    ["Pears are ripe.", "Pears are ripe."],
    ["<think>Hm, {a}.</think>\n\nPears.", "Pears."],
    ["\n<reasoning>x < y</reasoning>\nPears", "Pears"],
    ["<b>Pears</b> <think>", "<b>Pears</b> <think>"],
    ["<think>never closed", ""],
    ["< 5", "< 5"],
    ["", ""],
  ];
  for (const [answer, shown] of cases) {
    for (let size = 1; size <= 8; size++) {
      const filter = new ThoughtFilter();
      let text = "";
      for (let at = 0; at < answer.length; at += size) text += filter.next(answer.slice(at, at + size));
      equal(text + filter.end(), shown, `${answer} in parts of ${size}`);
    }
  }
});
