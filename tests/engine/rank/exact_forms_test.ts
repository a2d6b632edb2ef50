import { deepEqual, equal, ok } from "node:assert/strict";
import { stem } from "#engine/index/text/porter2.ts";
import { wordTerms } from "#engine/index/text/tokenizer.ts";
import { Ranking } from "#engine/rank/mod.ts";
import { bestOf, indexOf, namesOf, question, withoutFile } from "./_collection.ts";

/** Words with different meanings that Snowball's stemmer gives one stem, and `false_friends.ts` terms of their own. */
const APART = pairs(`
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
`);

/** Words with one index term. */
const TOGETHER = pairs(`
  compass compassion, fast fasting, ship shipping, bear bearing, social socialism, second seconds,
  mature maturity, art artful, civil civilization, clean cleaning, code codes, color colorful, common
  commoner, complete completion, compress compression, computer compute, construct construction,
  cross crossing, cure curing, dear dearly, deal dealing, digit digital, distinct distinction, drive
  driving, effect effective, elect election, engine engineer, equal equality, evident evidence, exact
  exacting, fair fairness, farm farming, fear fearful, feel feelings, figure figurative, fine fining,
  firm firmness, fish fishing, flat flatly, force forceful, friend friendly, fund funding, gene
  genes, gentle gently, glass glasses, good goods, great greatly, ground grounding, guard guarding,
  hard hardly, head heading, hear hearing, human humane, humanity humanism, ill illness, immune
  immunity, invest investment, joint jointly, judge judging, just justly, king kings, late lately,
  lead leading, learn learned, legal legality, letter lettering, light lighting, like likely, line
  lines, list listing, live lively, long longing, look looks, loss losses, magnet magnetic, mark
  marking, market marketing, mean meaning, measure measured, meet meeting, mind mindful, mine mining,
  mission missions, mobile mobility, moral morality, natural naturalism, near nearly, net nets,
  neutral neutrality, open opening, order orderly, origin original, paint painting, part parted, pass
  passing, plan planned, plane planing, plant planting, play playing, point pointed, popular
  popularity, port ported, present presently, press pressing, prime priming, print printing, private
  privately, product productive, prove proving, quarter quarterly, question questionable, rail
  railing, rate rating, reason reasonable, record recording, register registering, report reporting,
  ring ringing, round rounding, rule ruling, saving save, school schooling, science sciences, serve
  serving, set setting, share sharing, short shortly, sign signed, single singly, sing singing, skill
  skilled, skin skinned, soft softly, sound sounding, spell spelling, sport sporting, spring
  springing, stage staging, stand standing, start starting, still stillness, stock stocking, store
  storing, strict strictly, super supers, supply supplies, tail tailing, term termed, test testing,
  time timing, track tracking, trade trading, train training, travel travelled, turn turning, type
  typing, vest vested, visual visualize, wait waiting, warn warning, wash washing, wave waving, wed
  wedding, will willing, work working
`);

function pairs(text: string): (readonly [string, string])[] {
  return text.trim().split(/,\s*/).map((pair) => pair.split(/\s+/) as [string, string]);
}

/** Texts with each word, once in a sentence and alone. */
function textsOf([one, other]: readonly [string, string], more = ""): Record<string, string> {
  const among = (word: string) =>
    `Somebody speaks about tea and bread, and then ${word} is mentioned once.${more}`;
  return {
    "a.md": among(one),
    "b.md": among(other),
    "c.md": `${one} ${one} ${one}${more}`,
    "d.md": `${other} ${other} ${other}${more}`,
  };
}

Deno.test("150 pairs of words have one stem and two index terms, and 150 others have one", () => {
  for (const [pairs, terms] of [[APART, 2], [TOGETHER, 1]] as const) {
    ok(new Set(pairs.map((pair) => pair.toSorted().join(" "))).size >= 150);
    for (const pair of pairs) {
      const stems = new Set(pair.map(stem)), found = new Set(pair.flatMap(wordTerms));
      deepEqual([stems.size, found.size], [1, terms], pair.join(" "));
    }
  }
});

Deno.test("a text with another word of the same stem never comes before one with the word itself", async () => {
  const wrong: string[] = [];
  for (const pair of [...APART, ...TOGETHER]) {
    for (const more of ["", " It was in the harbour."]) {
      const index = await indexOf(textsOf(pair, more));
      for (const mode of ["keyword", "hybrid"] as const) {
        for (const [word, files] of [[pair[0], "a.md,c.md"], [pair[1], "b.md,d.md"]] as const) {
          const asked = more === "" ? word : `${word} harbour`;
          const found = namesOf(await bestOf(question([index], asked, { mode }), { limit: 4 }));
          if (found.slice(0, 2).sort().join() !== files) wrong.push(`${mode} ${asked}: ${found}`);
        }
      }
    }
  }
  deepEqual(wrong, []);
});

Deno.test("without vectors, and where the two lists are joined by rank, the word itself comes first too", async () => {
  const { meaning: _, ...asked } = question(
    [await indexOf(textsOf(["compass", "compassion"]))],
    "compassion",
  );
  using _index = asked.segments.indexes[0] as { [Symbol.dispose](): void };
  for (const more of [{ mode: "keyword" }, { mode: "hybrid" }, { fusion: "rrf" }] as const) {
    const found = namesOf(await bestOf({ ...asked, ...more }, { limit: 4 }));
    deepEqual(found.slice(0, 2).sort(), ["b.md", "d.md"]);
  }
});

Deno.test("the word itself is known in headings, file names, identifiers, capitals, and with accents and possessives", async () => {
  const texts = [
    "the compassion of all",
    "the COMPASSION of all",
    "the compassion's end",
    "the compassión of all",
    "call getCompassionLevel here",
    "call compassion_level here",
    "ｃｏｍｐａｓｓｉｏｎ",
  ];
  for (const text of texts) {
    using index = await indexOf({ "a.md": "compass compass compass", "b.md": `Words before it. ${text}` });
    for (const mode of ["keyword", "hybrid"] as const) {
      deepEqual(namesOf(await bestOf(question([index], "compassion", { mode }), { limit: 2 })), [
        "b.md",
        "a.md",
      ], text);
    }
  }
  using index = await indexOf({
    "x.md": "compass compass compass",
    "compassion.md": "nothing but other words",
  });
  deepEqual(namesOf(await bestOf(question([index], "compassion"), { limit: 2 })), ["compassion.md", "x.md"]);
});

Deno.test("a text with more words of the question is not put below one with fewer but more exact words", async () => {
  using index = await indexOf({
    "a.md": "The harbour master showed compass and chart, and the tide was low.",
    "b.md": "She had compassion for everyone who came, and they came often.",
  });
  for (const mode of ["keyword", "hybrid"] as const) {
    deepEqual(namesOf(await bestOf(question([index], "compassion harbour", { mode }), { limit: 2 })), [
      "a.md",
      "b.md",
    ]);
  }
});

Deno.test("chunks that a later answer adds come before or after those known", async () => {
  using index = await indexOf(textsOf(["compass", "compassion"]));
  for (const mode of ["keyword", "hybrid"] as const) {
    const ranking = await Ranking.of(question([index], "compassion", { mode }));
    const scores = new Map<string, number>();
    for (const filter of [withoutFile(3), undefined]) {
      const found = await ranking.best({ limit: 4, ...(filter === undefined ? {} : { filter }) });
      for (const { filePath, score } of found) {
        if (scores.has(filePath)) equal(score, scores.get(filePath), `${mode} ${filePath}`);
        scores.set(filePath, score);
      }
    }
    const order = [...scores.keys()].sort((a, b) => scores.get(b)! - scores.get(a)!);
    deepEqual(order.slice(0, 2).sort(), ["b.md", "d.md"]);
  }
});

Deno.test("the factor is in the explanation, and the shares of the legs add up to the score", async () => {
  using index = await indexOf(textsOf(["compass", "compassion"]));
  const found = await bestOf(question([index], "compassion"), { limit: 4 });
  ok(found.some(({ evidence }) => evidence!.factor! > 1));
  for (const { legs, score } of found) {
    const sum = Object.values(legs).reduce((total, { share }) => total + share, 0);
    ok(Math.abs(sum - score) < 1e-9);
  }
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
