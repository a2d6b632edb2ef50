import { deepEqual } from "node:assert/strict";
import { searchAnswer, searchResult } from "#library/answer/mod.ts";
import { config, Place } from "../ingest/_place.ts";

const FILES = {
  "onboarding.md": "# Onboarding\n\nThe checklist for new colleagues. Every checklist has an owner.\n",
  "policies.md": "# Policies\n\nTravel policies of the Kyoto office, and its policies for visitors.\n",
  "release.md": "# Release\n\nRead the release checklists before a deployment.\n",
  "notes.txt": "Tomato soup, cooked with onions. 每周备份数据库。\n",
};

/** Suggestions for a query, as `word → suggestion`. */
async function suggestions(query: string, settings: Parameters<typeof config>[0] = {}): Promise<string[]> {
  using place = await Place.indexed(FILES);
  const library = await place.library({ settings: settings });
  const answer = await library.search({ query });
  return (answer.suggestions ?? []).map(({ word, suggestion }) => `${word} → ${suggestion}`);
}

Deno.test("a misspelt word gets the word of the texts that is spelt most like it", async () => {
  deepEqual(await suggestions("checklst"), ["checklst → checklist"]);
  deepEqual(await suggestions("kyoot office"), ["kyoot → Kyoto"]);
  deepEqual(await suggestions("deploymnet onbording"), ["deploymnet → deployment", "onbording → Onboarding"]);
});

Deno.test("a suggestion is a written word, also where the index has its stem", async () => {
  deepEqual(await suggestions("travel polciies"), ["polciies → policies"]);
});

Deno.test("no word is suggested for words of the texts, other forms of them, numbers, short and Chinese words", async () => {
  deepEqual(await suggestions("checklist colleague releasing 2024x tea 備份數据"), []);
});

Deno.test("no word is suggested for a correct word where something was found", async () => {
  // `tomatoes` is a form of a word in the texts; `potato` differs in two letters
  deepEqual(await suggestions("potato soup"), []);
  deepEqual(await suggestions("zeppelin hangar"), []);
});

Deno.test("suggestions need no word vectors", async () => {
  deepEqual(await suggestions("checklst", { embedding: { provider: "none" } }), ["checklst → checklist"]);
});

Deno.test("an answer tells suggestions in its notices and its data", async () => {
  using place = await Place.indexed(FILES);
  const library = await place.library({ settings: { language: "en" } });
  const answer = await library.search({ query: "checklst" });
  const { data } = searchResult(answer, "en");
  deepEqual(data.suggestions, [{ word: "checklst", suggestion: "checklist" }]);
  deepEqual(data.notices, ["No text contains checklst. Did you mean checklist?"]);
  const { text } = searchAnswer({ found: answer }, "en");
  deepEqual(
    text.split("\n").filter((line) => line.includes("Did you mean")),
    ["Note: No text contains <quoted-1>checklst</quoted-1>. Did you mean <quoted-1>checklist</quoted-1>?"],
  );
});
