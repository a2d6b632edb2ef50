/** Tables of how many hits of each degree are right. */
import { degreeOf } from "#library/search/show.ts";
import { chanceOf } from "#engine/rank/evidence.ts";
import type { Formula, Signs } from "#engine/rank/types.ts";
import type { MatchDegree } from "#library/search/mod.ts";
import type { Asked } from "./collections.ts";

/** A question that a system has answered. */
export interface Answered extends Omit<Asked, "text" | "answers"> {
  readonly set: string;
  readonly system: string;
  /** Best first. `signs` are absent for a hit that has nothing in common with the question. */
  readonly hits: readonly { readonly isRight: boolean; readonly signs?: Signs | undefined }[];
}

/** An answer with what it claims: the chance of its first hit, which is right or not. */
export interface Claim extends Answered {
  /** 0 without hits. */
  readonly chance: number;
  readonly degree: MatchDegree;
  readonly isRight: boolean;
  /** For each hit of the degree low, whether it is right. */
  readonly low: readonly boolean[];
}

/** Returns the answers with the chances that formulas give to their hits. */
export function claimsOf(answers: readonly Answered[], formulas: readonly Formula[]): Claim[] {
  return answers.map((answer): Claim => {
    let least = 1;
    const claims = answer.hits.map(({ signs, isRight }) => {
      least = Math.min(least, signs === undefined ? 0 : chanceOf(signs, formulas));
      return { chance: least, degree: degreeOf(least), isRight };
    });
    const first = claims[0] ?? { chance: 0, degree: "low", isRight: false };
    return {
      ...answer,
      ...first,
      low: claims.flatMap(({ degree, isRight }) => degree === "low" ? [isRight] : []),
    };
  });
}

/** Languages in the order of the tables, and their names. */
export const CELLS: Readonly<Record<string, string>> = {
  en: "en → en",
  zh: "zh → zh",
  "en-zh": "en → zh",
  "zh-en": "zh → en",
};

const HEAD =
  "questions | first hit right | high | high, right | medium, right | low, right | low of all ranks, right | left out, high | strange, high |";

/** Returns a Markdown table with a row for each system, pair of languages and kind of question. */
export function degreeTable(claims: readonly Claim[]): string {
  const rows = ["keyword", "built-in", "local"].flatMap((system) =>
    Object.entries(CELLS).flatMap(([cell, name]) =>
      [false, true].flatMap((short) => {
        const those = claims.filter((one) =>
          one.system === system && one.cell === cell && one.isShort === short
        );
        return those.length === 0
          ? []
          : [`| ${system} | ${name} | ${short ? "three words" : "whole"} | ${figures(those)}`];
      })
    )
  );
  return ["| system | question → text | question | " + HEAD, line(12), ...rows].join("\n");
}

/** The same with a row for each collection, for the built-in vectors. */
export function setTable(claims: readonly Claim[]): string {
  const built = claims.filter(({ system, isShort }) => system === "built-in" && !isShort);
  const rows = [...Map.groupBy(built, ({ set, cell }) => `${set} | ${CELLS[cell]}`)]
    .map(([name, those]) => `| ${name} | ${figures(those)}`);
  return ["| collection | question → text | " + HEAD, line(11), ...rows].join("\n");
}

function line(columns: number): string {
  return `|${"---|".repeat(columns)}`;
}

function figures(claims: readonly Claim[]): string {
  const of = (kind: Asked["kind"]) => claims.filter((one) => one.kind === kind);
  const answerable = of("answerable");
  const right = (degree: MatchDegree) => share(answerable.filter((one) => one.degree === degree), isRight);
  return [
    answerable.length,
    share(answerable, isRight),
    share(answerable, isHigh),
    right("high"),
    right("medium"),
    right("low"),
    share(claims.flatMap(({ low }) => low), (right) => right),
    share(of("left out"), isHigh),
    share(of("strange"), isHigh),
  ].join(" | ") + " |";
}

const isRight = (claim: Claim) => claim.isRight;
const isHigh = ({ degree }: Claim) => degree === "high";

/** In per cent, with the numbers. */
function share<One>(all: readonly One[], is: (one: One) => boolean): string {
  if (all.length === 0) return "–";
  const count = all.filter(is).length;
  return `${Math.round(100 * count / all.length)} % (${count} of ${all.length})`;
}
