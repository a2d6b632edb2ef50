import { deepEqual, equal, ok } from "node:assert/strict";
import { fittedSearch, isWithin, searchAnswer, sentTokens } from "#library/answer/mod.ts";
import { hit, ROOT } from "../../server/_session.ts";

for (const language of ["en", "zh"] as const) {
  for (const [shape, maxTokens] of [["both", 360], ["structured", 360], ["text", 325]] as const) {
    Deno.test(`${language}, ${shape}: notices and remarks give way to a passage within ${maxTokens} tokens`, () => {
      const { answer } = fittedSearch({
        hits: Array.from({ length: 10 }, () => hit({ content: "Descale the coffee machine. ".repeat(90) })),
        seconds: 0.01,
        notices: Array.from({ length: 3 }, (_, i) => `${ROOT}/${i} has no index yet and was not searched.`),
        leftOut: Array.from({ length: 8 }, (_, i) => ({ filePath: `${ROOT}/long-${i}.md`, passages: 7 })),
        suggestions: [{ word: "descail", suggestion: "descale" }],
        more: true,
      }, {
        language,
        limit: { shape, maxTokens },
        cursorAfter: (shown) => `${shown}.1a2b3c`,
        make: searchAnswer,
      });
      ok(sentTokens(answer, shape) <= maxTokens, String(sentTokens(answer, shape)));
      deepEqual(
        [
          answer.data.match_content.length,
          answer.data.left_out,
          answer.data.suggestions,
          answer.data.next_cursor,
        ],
        [1, undefined, undefined, "1.1a2b3c"],
      );
      deepEqual(
        answer.data.notices![0],
        {
          en: "11 notices did not fit max_tokens",
          zh: "另有 11 条提示超出 max_tokens，未列出",
        }[language],
      );
    });
  }
}

Deno.test("an answer that is too long with all of left_out names the first two of its files", () => {
  const files = Array.from({ length: 40 }, (_, i) => ({ filePath: `${ROOT}/long-${i}.md`, passages: 7 }));
  const { answer: { data } } = fittedSearch({
    hits: [hit()],
    seconds: 0.01,
    notices: ["A notice."],
    leftOut: files,
  }, {
    language: "en",
    limit: { shape: "both", maxTokens: 380 },
    cursorAfter: () => undefined,
    make: searchAnswer,
  });
  deepEqual([data.left_out?.length, data.notices], [2, ["A notice."]]);
});

Deno.test("an answer is within a limit if the form that is sent has no more estimated tokens, whatever its characters", () => {
  for (const text of ["", "Plain words. ", "A1 b2-", "𠀀😀", "中文", "\ud83d\n", "éß", "№ ①", "──", "9 9"]) {
    const answer = { code: 200 as const, message: "", data: text.repeat(7), text: text.repeat(40) };
    for (const shape of ["both", "structured", "text"] as const) {
      const tokens = sentTokens(answer, shape);
      ok(tokens <= Math.max(answer.text.length, JSON.stringify(answer).length), text);
      for (const maxTokens of [-1, tokens - 1, tokens, tokens + 1, Infinity]) {
        equal(isWithin(answer, { shape, maxTokens }), tokens <= maxTokens, `${text} ${shape} ${maxTokens}`);
      }
    }
  }
});
