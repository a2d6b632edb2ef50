import { nearest } from "../config/mod.ts";
import type { Section } from "../document/mod.ts";

/** Names of a client longer than this are not compared. */
const MAX_NAME_CHARS = 255;
/** Headings that are named in an answer. */
const MAX_NAMED = 3;

/** A heading, or a path of headings, as it is compared: without differences in case, width and spaces. */
export function plainHeading(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s*[>›]\s*/g, ">").replace(/\s+/g, " ").trim();
}

/**
 * Returns the headings that are similar to a name that no section has: the one with the fewest different letters, then those
 * that contain the name; if there is none, those with most of its words or pairs of characters, or the first headings. Of a path of
 * headings only the last part is compared.
 */
export function nearestHeadings(name: string, sections: readonly Section[]): string[] {
  const wanted = plainHeading(name).split(">").at(-1) ?? "";
  if (wanted === "" || name.length > MAX_NAME_CHARS) return [];
  const headings = new Map(sections.map(({ path }) => path.at(-1) ?? "").map((it) => [it, plainHeading(it)]));
  const similar = nearest(wanted, [...headings.values()]);
  const isNear = (plain: string) => plain === similar || plain.includes(wanted);
  const near = [...headings].filter(([, plain]) => isNear(plain))
    .sort(([, a], [, b]) => Number(b === similar) - Number(a === similar));
  const named = near.length > 0 ? near : withSharedPairs(wanted, [...headings]);
  return named.slice(0, MAX_NAMED).map(([heading]) => heading);
}

/** The headings, those with the greatest share of pairs of characters in common with a text first. */
function withSharedPairs(wanted: string, headings: readonly [string, string][]): [string, string][] {
  const pairsOf = (text: string) => new Set(Array.from(text, (_, i) => text.slice(i, i + 2)).slice(0, -1));
  const own = pairsOf(wanted);
  const share = headings.map(([heading, plain]) => {
    const pairs = pairsOf(plain);
    return { heading, plain, share: 2 * own.intersection(pairs).size / Math.max(1, own.size + pairs.size) };
  });
  return share.sort((a, b) => b.share - a.share).map(({ heading, plain }) => [heading, plain]);
}
