/** Fits the formulas for the chance of a hit, and writes them as a source file. */
import type { Formula, Signs } from "#engine/rank/types.ts";
import { type Case, fitLogistic } from "./logistic.ts";
import type { Answered } from "./tables.ts";

/** The signs of a formula, and the systems whose hits it is fitted to. */
interface Plan {
  readonly foreign: boolean;
  readonly signs: readonly (keyof Signs)[];
  readonly systems: readonly string[];
}

/** The most exact formula first: the first that knows all its signs is used. */
const PLANS: readonly Plan[] = [
  {
    foreign: true,
    signs: ["near", "translated", "sure", "sentence", "lead"],
    systems: ["built-in", "local"],
  },
  { foreign: true, signs: ["near", "translated", "sure"], systems: ["built-in"] },
  { foreign: false, signs: ["held", "near", "sentence", "lead", "outlier"], systems: ["local"] },
  { foreign: false, signs: ["held", "near", "sentence", "lead"], systems: ["built-in", "local"] },
  // Without sums of evidence (RRF, as with a server's model). Its cosines are taken to stand out as those of the local models do.
  { foreign: false, signs: ["held", "near", "outlier"], systems: ["local"] },
  { foreign: false, signs: ["near"], systems: ["built-in"] },
  { foreign: false, signs: ["held", "lead"], systems: ["keyword"] },
  { foreign: false, signs: ["held"], systems: ["keyword"] },
];

/** How much the first hit of an answer counts beside each further one: an assistant believes it first. */
const FIRST = 4;

/** Returns the formulas that fit these answers. */
export function fittedFormulas(answers: readonly Answered[]): Formula[] {
  return PLANS.map(({ foreign, signs: names, systems }): Formula => {
    const cases = answers.filter(({ system }) => systems.includes(system)).flatMap(({ hits }) =>
      hits.flatMap(({ signs, isRight }, i): Case[] => {
        const values = names.map((name) => signs?.[name]);
        const isOfKind = signs !== undefined && (signs.translated !== undefined) === foreign;
        if (!isOfKind || !values.every((value) => value !== undefined)) return [];
        return [{ signs: values, isRight, weight: i === 0 ? FIRST : 1 }];
      })
    );
    const [constant, ...weights] = fitLogistic(cases).map((weight) => Math.round(weight * 100) / 100);
    return { foreign, constant: constant!, weights: names.map((name, i) => [name, weights[i]!] as const) };
  });
}

/** Returns the source file of formulas. */
export function formulasText(formulas: readonly Formula[]): string {
  const rows = formulas.map(({ foreign, constant, weights }) => {
    const list = weights.map(([name, weight]) => `["${name}", ${weight}]`).join(", ");
    return `  {\n    foreign: ${foreign},\n    constant: ${constant},\n    weights: [${list}],\n  },\n`;
  });
  return `/**
 * The formulas for the chance of a hit, written by \`research/calibrate_degrees.ts --fit\`; see RANKING.md, "Match degree".
 */
import type { Formula } from "./types.ts";

/** The first whose signs are all known is used. */
export const FORMULAS: readonly Formula[] = [
${rows.join("")}];
`;
}
