import { equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";
import { Grounding } from "#library/generate/grounded.ts";

const table = loadTable();
const grounding = new Grounding(table, new WordFinder(table));

const ENGLISH =
  `The Grundfos CR-15 pump was installed in Aarhus on 18 January 2024 by Maria Jensen. It moves 1,200 litres an
hour at a pressure of 3.5 bar, and its efficiency is thirty percent. Set max_flow in pump.yaml before the first start.`;
const CHINESE =
  "2024年1月18日，张伟在上海安装了格兰富水泵，每小时输送 1.2 万升水，效率为三成，价格 5000 元。";

const GROUNDED: readonly (readonly [text: string, source: string])[] = [
  ["How is a pump cleaned?", ENGLISH],
  ["Which pump was installed in Aarhus?", ENGLISH],
  ["Explains the installation of a pump.", ENGLISH],
  ["Its efficiency is 30 %.", ENGLISH],
  ["It moves 1200 litres per hour.", ENGLISH],
  ["Installed by Jensen in January 2024.", ENGLISH],
  ["What does max_flow do?", ENGLISH],
  ["水泵的安装", CHINESE],
  ["水泵的效率是 30%。", CHINESE],
  ["每小时输送 12000 升。", CHINESE],
  ["张伟在哪里安装了水泵？", CHINESE],
  ["2024-01-18 安装的水泵多少钱？", CHINESE],
];
for (const [text, source] of GROUNDED) {
  Deno.test(`grounded: ${text}`, () => equal(grounding.of(source).whole(text), text));
}

const FOREIGN: readonly (readonly [text: string, source: string])[] = [
  ["It moves 1,300 litres an hour.", ENGLISH],
  ["Installed on 19 January 2024.", ENGLISH],
  ["Installed in 2023.", ENGLISH],
  ["Its efficiency is 40 %.", ENGLISH],
  ["It weighs twelve kilograms.", ENGLISH],
  ["It was installed by Peter Smith.", ENGLISH],
  ["The pump is made by Siemens.", ENGLISH],
  ["Which pump was installed in Paris?", ENGLISH],
  ["Set min_flow before the start.", ENGLISH],
  ["The CR-16 pump.", ENGLISH],
  ["The ABB pump.", ENGLISH],
  ["水泵的效率是 40%。", CHINESE],
  ["2023年安装的水泵", CHINESE],
  ["李明安装了水泵。", CHINESE],
  ["北京安装了水泵。", CHINESE],
  ["水泵价格 6000 元", CHINESE],
];
for (const [text, source] of FOREIGN) {
  Deno.test(`foreign: ${text}`, () => equal(grounding.of(source).whole(text), undefined));
}

Deno.test("sentences with foreign values are cut out of a summary", () => {
  const source = grounding.of(ENGLISH);
  equal(
    source.sentences("It moves water. It cost 900 dollars. Its pressure is 3.5 bar."),
    "It moves water. Its pressure is 3.5 bar.",
  );
  equal(source.sentences("It cost 900 dollars."), undefined);
  equal(grounding.of(CHINESE).sentences("它输送水。它价值九百美元。效率为 30%。"), "它输送水。效率为 30%。");
});

Deno.test("a number that is not in the source is never grounded, one that is always is", () => {
  const units = ["kg", "%", "litres", "吨", "元", "天", ""];
  const number = fc.integer({ min: 2, max: 999_999 });
  fc.assert(
    fc.property(number, number, fc.constantFrom(...units), fc.boolean(), (one, other, unit, isChinese) => {
      const say = (value: number) =>
        isChinese ? `水泵有 ${value} ${unit}。` : `The pump has ${value} ${unit} of it.`;
      const source = grounding.of(say(one));
      equal(source.whole(say(one)), say(one));
      if (one !== other) equal(source.whole(say(other)), undefined, `${say(one)} ${say(other)}`);
    }),
    { numRuns: 500 },
  );
});

Deno.test("every sentence of a text is grounded in the text", () => {
  for (const text of [ENGLISH.replaceAll("\n", " "), CHINESE]) {
    const kept = grounding.of(text).sentences(text)!;
    ok(kept.length > 0.95 * text.length, kept);
  }
});
