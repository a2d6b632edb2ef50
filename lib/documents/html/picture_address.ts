/** Addresses of the pictures of a page, of which `<img>` has several: the one that a reader sees counts. */
import { attribute, type Element, elements } from "./parse.ts";

/** Where scripts find the address of a picture that is loaded once it comes into sight. */
const LATE = ["data-src", "data-original", "data-lazy-src", "data-actualsrc"];
/** Matches pictures that stand in for one that is loaded late: data of a few bytes, and files of these names. */
const PLACEHOLDER =
  /^data:image\/(?:gif|png|svg\+xml)[;,].{0,300}$|(?:^|[/_.-])(?:blank|spacer|placeholder|lazy|loading|pixel|transparent)\.(?:gif|png|svg)(?:[?#]|$)/i;

/** Returns the address of an `<img>`, or of the largest picture that it may show; empty if it names none. */
export function pictureAddress(image: Element): string {
  const late = LATE.map((name) => attribute(image, name).trim()).find((found) => found !== "");
  if (late !== undefined) return late;
  // Books of Mobipocket have a number.
  const address = (attribute(image, "src") || attribute(image, "recindex")).trim();
  if (address !== "" && !PLACEHOLDER.test(address)) return address;
  const lists = [image, ...sourcesOf(image.parent)].flatMap((
    element,
  ) => [attribute(element, "data-srcset"), attribute(element, "srcset")]);
  return lists.map(largest).find((found) => found !== "") ?? address;
}

/** Most elements of a `<picture>` that are looked through. */
const MOST_SOURCES = 20;

function sourcesOf(parent: Element | undefined): Element[] {
  if (parent?.name !== "picture") return [];
  return [...elements(parent).take(MOST_SOURCES).filter(({ name }) => name === "source")];
}

/** Returns the address with the greatest width or density in a list such as `a.png 1x, b.png 2x`. */
function largest(list: string): string {
  let best = "", most = 0;
  // Addresses of data have commas, but no blank follows them.
  for (const candidate of list.slice(0, 20_000).split(/,\s+/)) {
    const [address = "", size = "1x"] = candidate.trim().split(/\s+/);
    const width = Number.parseFloat(size) || 1;
    if (address !== "" && width > most) [best, most] = [address.replace(/,$/, ""), width];
  }
  return best;
}
