import { BLOCKS, HEADINGS, UNSEEN } from "./names.ts";
import { attribute, classes, type Element } from "./tree.ts";

/** Counts of the content of an element, taken once for the whole tree. */
export interface Measure {
  /** Visible characters without blanks. */
  text: number;
  /** Visible characters in links, without blanks. */
  linked: number;
  links: number;
  hasBlock: boolean;
  hasHeading: boolean;
  hasTable: boolean;
  /** Whether the element contains `<main>`, an article or a first-level heading. Such an element is never boilerplate. */
  isEssential: boolean;
}

/** Content that a script moves to its place, or that replaces the script. */
const PUT_ASIDE: ReadonlySet<string> = new Set(["noscript", "template"]);

/** Measures every visible element of a tree. Invisible elements are missing in the map. */
export function measureTree(root: Element, { hidden }: { readonly hidden: boolean }): Map<Element, Measure> {
  const measures = new Map<Element, Measure>();
  const visit = (element: Element): Measure => {
    const own: Measure = {
      text: 0,
      linked: 0,
      links: 0,
      hasBlock: false,
      hasHeading: false,
      hasTable: false,
      isEssential: false,
    };
    measures.set(element, own);
    for (const child of element.children) {
      if (typeof child === "string") {
        own.text += visibleLength(child);
        continue;
      }
      if (hidden ? isUnseen(child) && !PUT_ASIDE.has(child.name) : isUnseen(child) || isHidden(child)) {
        continue;
      }
      const below = visit(child);
      own.text += below.text;
      own.linked += below.linked;
      own.links += below.links;
      own.hasBlock ||= below.hasBlock || BLOCKS.has(child.name);
      own.hasHeading ||= below.hasHeading || HEADINGS.has(child.name);
      own.hasTable ||= below.hasTable || child.name === "table";
      own.isEssential ||= below.isEssential || isMain(child) || child.name === "article" ||
        (child.name === "h1" && below.text > 0);
    }
    if (element.name === "a" && element.attributes.href !== undefined) {
      own.linked = own.text;
      own.links++;
    }
    return own;
  };
  visit(root);
  return measures;
}

/** Returns whether an element marks itself as the main content. */
export function isMain(element: Element): boolean {
  return element.name === "main" || attribute(element, "role") === "main";
}

function isUnseen(element: Element): boolean {
  if (!UNSEEN.has(element.name)) return false;
  if (element.name === "script") return !attribute(element, "type").startsWith("math/");
  if (element.name === "input") return attribute(element, "type").toLowerCase() !== "checkbox";
  // A sent form or a text to copy is visible text; a field to fill in is not.
  if (element.name === "textarea") return element.children.length === 0;
  return element.name !== "object";
}

/** Returns whether an element is hidden. Hidden formulas for screen readers are kept: they are the readable form. */
function isHidden(element: Element): boolean {
  const { attributes } = element;
  const isMarked = "hidden" in attributes || attributes["aria-hidden"] === "true" ||
    (attributes.style !== undefined &&
      /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style));
  return isMarked && !classes(element).some((name) => /^(?:mwe-math|katex-mathml|mjx-assistive)/.test(name));
}

function visibleLength(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x20 && code !== 0xa0) length++;
  }
  return length;
}
