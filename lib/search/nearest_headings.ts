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
 * that contain the name. Of a path of headings only the last part is compared.
 */
export function nearestHeadings(name: string, sections: readonly Section[]): string[] {
  const wanted = plainHeading(name).split(">").at(-1) ?? "";
  if (wanted === "" || name.length > MAX_NAME_CHARS) return [];
  const headings = new Map(sections.map(({ path }) => path.at(-1) ?? "").map((it) => [it, plainHeading(it)]));
  const similar = nearest(wanted, [...headings.values()]);
  const isNear = (plain: string) => plain === similar || plain.includes(wanted);
  return [...headings].filter(([, plain]) => isNear(plain))
    .sort(([, a], [, b]) => Number(b === similar) - Number(a === similar))
    .slice(0, MAX_NAMED).map(([heading]) => heading);
}
