import { deepEqual, equal, ok } from "node:assert/strict";
import stem from "wink-porter2-stemmer";
import { wordTerms } from "#engine/index/text/tokenizer.ts";
import { bestOf, indexOf, namesOf, question } from "./_collection.ts";

/** Words with different meanings that Snowball's stemmer gives one stem. */
const PAIRS = `
  organ organization, organic organization, organize organism, university universe,
  university universal, several severance, several sever, severance severe, severe several,
  past paste, import important, important importer, relative relate, relativity relative,
  relation relative, animal animation, animate animals, negligible negligence, negligent negligible,
  execute executive, executive execution, experience experiment, probation probate, numeral numerous,
  objective object, objection objective, international internal, intern internal,
  internal internment, operate operative, operation operative, activity activism, admirable admiral,
  admire admiral, adverse adversity, alien alienate, angel angelic, authority author,
  capital capitalism, capitalize capitals, captive captivate, collect collective, compete competent,
  concert concerted, confide confident, conserve conservative, conservation conservative,
  consist consistent, consistency consist, contract contraction, convention convent,
  conventional convention, conversation converse, conversion converse, corporal corporate,
  credit creditable, critic critical, criticism critical, customer custom, decor decorate,
  definition definitive, deliberate deliberation, depart department, design designate,
  desert desertion, diverse diversion, emerge emergency, emergence emergency, equator equation,
  except exceptional, exclusive exclusion, federal federation, formative format, grate grateful,
  habit habitation, hand handful, heroin heroine, hospital hospitality, hospitable hospital,
  ideal idealism, incidence incident, individual individualism, induct inductance,
  industrial industrious, inform informal, information informal, initial initiate, iron ironic,
  later lateral, lateral later, liberate liberal, major majority, marine mariner, mariner marinate,
  minor minority, miser miserable, morale moral, office officer, optimal optimism,
  ordinance ordinate, oriental orientation, partly parting, patent patently, person personal,
  polite political, politics polite, positive position, premier premiere, principal principality,
  process procession, profess profession, prohibit prohibitive, provide provident,
  providence provider, provident providing, publication publicity, ration rational, rational ration,
  recess recession, reform reformation, remark remarkable, resolute resolution,
  respectful respective, respective respectable, response responsible, secret secretion,
  sever severity, success succession, successive successful, succession successful,
  temper temperance, terminal termination, tide tidings, transition transitive, unite units,
  universal universe, urban urbane, utter utterance, vacation vacate, wind winding,
  organ organizer, organic organizer, organism organizer, animals animation, experiences experiments,
  customs customers, offices officers, universe universities, emerged emergencies, authors authorities,
  marines mariners, animate animal
`.trim().split(/,\s*/).map((pair) => pair.split(" ") as [string, string]);

Deno.test("150 pairs of words with one stem and two meanings are known", () => {
  equal(new Set(PAIRS.map((pair) => pair.toSorted().join(" "))).size, 150);
  for (const [one, other] of PAIRS) equal(stem(one), stem(other), `${one} ${other}`);
});

Deno.test("a text with another word of the same stem never comes before one with the word itself", async () => {
  const wrong: string[] = [];
  for (const [one, other] of PAIRS) {
    const among = (word: string) =>
      `The first of these lines is about tea and bread, and then ${word} is mentioned once.`;
    using index = await indexOf({
      "a.md": among(one),
      "b.md": among(other),
      "c.md": `${one} ${one} ${one}`,
      "d.md": `${other} ${other} ${other}`,
    });
    for (const mode of ["keyword", "hybrid"] as const) {
      for (const [word, files] of [[one, ["a.md", "c.md"]], [other, ["b.md", "d.md"]]] as const) {
        const found = namesOf(await bestOf(question([index], word, { mode }), { limit: 4 }));
        if (found.slice(0, 2).sort().join() !== files.join()) wrong.push(`${mode} ${word}: ${found}`);
      }
    }
  }
  deepEqual(wrong, []);
});

Deno.test("a rare word is found among many texts with a frequent word of the same stem", async () => {
  const several = Array.from(
    { length: 60 },
    (_, i) => [`${i}.md`, `There are several ways to pay, several of them new.`],
  );
  using index = await indexOf({
    ...Object.fromEntries(several),
    "contract.md":
      "Whoever is dismissed gets severance of three months, on the day on which the contract ends.",
  });
  for (const mode of ["keyword", "hybrid"] as const) {
    const [best] = await bestOf(question([index], "severance pay", { mode }), { limit: 3 });
    deepEqual(namesOf([best!]), ["contract.md"]);
  }
});

Deno.test("inflections and regular derivations of a word keep its term", () => {
  const terms = (words: string) => [...new Set(words.split(" ").flatMap(wordTerms))];
  for (
    const words of [
      "run running runs",
      "policy policies",
      "organize organizes organizing organized organizer organization organizations",
      "connect connected connection connections connecting",
      "university universities",
      "index indexing indexed indexes",
      "install installed installation installer",
      "configure configured configuration",
      "translate translation translated translator",
    ]
  ) equal(terms(words).length, 1, `${words}: ${terms(words)}`);
  ok(terms("general generals generally generic").length === 2);
});
