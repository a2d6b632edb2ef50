import { alternative } from "../writer/alternative_text.ts";
import { BLOCKS } from "./names.ts";
import { attribute, type Element } from "./tree.ts";

/** Returns whether a picture is the only content of its block. */
export function isOnlyChild(image: Element): boolean {
  let element = image;
  for (let parent = image.parent; parent !== undefined; parent = parent.parent) {
    for (const child of parent.children) {
      if (child !== element && (typeof child !== "string" || child.trim() !== "")) return false;
    }
    if (BLOCKS.has(parent.name)) return true;
    element = parent;
  }
  return true;
}

/** Returns whether an element is `outer` or lies inside it. */
export function isWithin(element: Element, outer: Element | undefined): boolean {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/** Returns the alternative text of a picture. Empty if it is a file name. */
export function alternativeOf(image: Element): string {
  const text =
    alternative(attribute(image, "alt") || attribute(image, "title"))?.replace(/[\s[\]]+/g, " ").trim() ?? "";
  return text.length > 2_000 || /^(?:img|photo|logo|icon|spacer|\*)$/i.test(text) ? "" : text;
}
