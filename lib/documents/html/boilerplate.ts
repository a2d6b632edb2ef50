/**
 * Selects the main content of a page, without navigation, banners and the like.
 * Below it: the counts of visible text and links that the selection and the writers use.
 */
import { attribute, BLOCKS, classes, type Element, elements, HEADINGS, lineOf, UNSEEN } from "./parse.ts";
import { words } from "../types.ts";

/** Words in a class or id that always mark boilerplate. */
const SURE = words(
  "nav navs docnav navbar navbars navigation navheader navfooter navfoot navmenu navbox sidenav topnav topbar subnav sidebar",
  "sidebars sphinxsidebar breadcrumb breadcrumbs pagination pager paginator cookie cookies gdpr consent onetrust",
  "skiplink skiplinks skipnav editsection noprint share sharing sharebar socials addthis related recommended",
  "recommendations newsletter subscribe subscription advert advertisement adverts ads adsense sponsor sponsored promo",
  "popup modal lightbox toolbar tooltip catlinks printfooter jumplink offcanvas searchbox searchform respond",
);
/** Words that mark boilerplate in an element that contains mostly links or little text. */
const LIKELY = words(
  "menu menus footer foot header head masthead banner links tags tagcloud categories",
  "topics social search login signin signup toolbox tools languages language widget rail drawer crumbs bottom top",
  "copyright legal prev next previous",
);
/** Words of layout classes beside them: `has-sidebar`, `content-with-sidebar`. */
const LAYOUT = words(
  "has with without no hide show open closed page layout content contents main body article text document wrapper root app",
  "item entry post block row col column grid section card",
);
const SURE_ROLES = words("navigation search menu menubar toolbar dialog alertdialog");
const LIKELY_ROLES = words("banner contentinfo complementary");
const CONTAINERS = words(
  "aside center details dialog div dl fieldset footer form header hgroup li menu nav ol p section search span table tbody td",
  "th tr ul",
);
/** Largest share of boilerplate in the running text, which is the text without links. */
const MOST_OF_TEXT = 0.4;
const DENSE = 0.6;
const LITTLE = 600;

/** The main content of a page, and the elements in it to leave out. */
interface Selection {
  readonly content: Element;
  readonly omitted: ReadonlySet<Element>;
  /** The heading of the page, if it precedes the content. */
  readonly heading?: Element | undefined;
}

/**
 * Finds the main content of a page. Leaves out only elements that name themselves navigation, banner, form and the like, and
 * only if most of the text remains. Otherwise keeps everything.
 */
export function selectContent(root: Element, measures: ReadonlyMap<Element, Measure>): Selection {
  const all = measures.get(root)!;
  const omitted = new Set<Element>();
  const tables: Element[] = [];
  let text = 0;
  let linked = 0;
  const visit = (element: Element, inContent: boolean) => {
    for (const child of elements(element)) {
      const measure = measures.get(child);
      if (measure === undefined || measure.text === 0) continue;
      if (isBoilerplate(child, measure, all, inContent)) {
        omitted.add(child);
        text += measure.text;
        linked += measure.linked;
      } else {
        if (isContentsList(child, measure)) tables.push(child);
        visit(child, inContent || child.name === "article" || isMain(child));
      }
    }
  };
  visit(root, false);
  const running = all.text - all.linked;
  const restRunning = running - (text - linked);
  const rest = all.text - text;
  if (restRunning < running * 0.5 || (rest < 200 && rest < all.text * 0.25)) {
    return { content: root, omitted: new Set() };
  }

  for (const list of tables) {
    const { text } = measures.get(list)!;
    if (text < 0.4 * rest && restRunning > 500) omitted.add(list);
  }
  const content = findMain(root, measures, omitted, restRunning);
  if (content === undefined) return { content: root, omitted };
  const heading = measures.get(content)!.hasHeading && hasFirstHeading(content, measures)
    ? undefined
    : headingBefore(root, content, measures, omitted);
  return { content, omitted, heading };
}

function isBoilerplate(element: Element, own: Measure, all: Measure, inContent: boolean): boolean {
  const { name } = element;
  if (name === "a" || name === "sup" || name === "button") return isAnchor(element, own);
  if (own.text === 0 || !CONTAINERS.has(name)) return false;
  if (own.isEssential || isTitledBox(element)) return false;
  const running = own.text - own.linked;
  if (running > MOST_OF_TEXT * (all.text - all.linked) && running > 200) return false;
  const isDense = own.linked > DENSE * own.text;
  const isLittle = own.text < LITTLE && own.text < 0.2 * all.text;
  const role = attribute(element, "role").toLowerCase();
  if (name === "nav" || name === "search" || SURE_ROLES.has(role)) return true;
  if (name === "aside" || LIKELY_ROLES.has(role)) {
    return inContent ? isDense && own.links > 3 : isDense || isLittle && !own.hasHeading;
  }
  if (!inContent && name === "footer") return isDense || isLittle || running < 0.2 * (all.text - all.linked);
  if (!inContent && name === "header") return isDense || (isLittle && !own.hasHeading);
  const said = nameOf(element);
  if (said === "sure") return name !== "td" || isDense;
  if (said === "likely") {
    return !own.hasHeading && (isDense && !inContent || (isDense && own.links > 2 && name !== "li"));
  }
  return false;
}

/** Returns whether an element is a mark beside a heading that links to it, or a link to its source. */
function isAnchor(element: Element, own: Measure): boolean {
  if (own.text > 12) return false;
  const names = classes(element);
  if (
    names.some((name) =>
      /^(?:headerlink|header-?anchor|heading-?anchor|anchor(?:js)?-?link|permalink|hash-?link|viewcode-(?:link|back)|srclink|src|self-?link|section-?anchor|doc-anchor|clipboard|copy(?:btn|-button)?)$/
        .test(name)
    )
  ) {
    return true;
  }
  return element.name === "a" && own.text <= 2 && /^[¶#§🔗⚓]$/u.test(lineOf(element)) &&
    attribute(element, "href").includes("#");
}

/** Returns whether an element is a titled box in a text, which DocBook and docutils call a sidebar, or the title of one. */
function isTitledBox(element: Element): boolean {
  const names = classes(element);
  return names.includes("sidebar-title") || names.includes("sidebar") &&
      elements(element).some((child) =>
        classes(child).some((name) => name === "titlepage" || name === "sidebar-title")
      );
}

/** Returns how surely an element is boilerplate, by the words of its classes and id. */
function nameOf(element: Element): "sure" | "likely" | undefined {
  let likely = false;
  const { id } = element.attributes;
  for (const token of [...classes(element), ...(id === undefined ? [] : [id.slice(0, 60)])]) {
    if (token.length > 60) continue;
    const words = token.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase().split(/[^a-z]+/).filter((word) =>
      word !== ""
    );
    if (
      words.length === 0 || words.length > 5 ||
      words.some((word, i) => LAYOUT.has(word) && !(i > 0 && word === "wrapper"))
    ) {
      if (!(words.length === 1 && LIKELY.has(words[0]!))) continue;
    }
    if (words.some((word) => SURE.has(word))) return "sure";
    likely ||= words.length <= 3 && words.some((word) => LIKELY.has(word));
  }
  return likely ? "likely" : undefined;
}

/** Returns whether an element is a table of contents, which repeats the headings after it. */
function isContentsList(element: Element, own: Measure): boolean {
  if (own.linked < DENSE * own.text || own.links < 2) return false;
  const names = [...classes(element), attribute(element, "id").toLowerCase()];
  return names.some((name) =>
    /^(?:toc|table-?of-?contents|contents|sect\d?toc|minitoc|page-?toc|toc-?(?:container|list|wrapper))$/
      .test(name)
  );
}

const CONTENT_NAMES =
  /^(?:(?:main|page|post|entry|article|blog|doc|docs|document|md|wiki|body|site|story|news|topic)[-_]?)*(?:content|main|article|body|text|markdown-body|bodycontent)$/;

function findMain(
  root: Element,
  measures: ReadonlyMap<Element, Measure>,
  omitted: ReadonlySet<Element>,
  running: number,
): Element | undefined {
  let found: Element | undefined;
  let element: Element = root;
  // Follows the path that contains nearly all of the text.
  for (;;) {
    let next: Element | undefined;
    for (const child of elements(element)) {
      const measure = measures.get(child);
      if (measure === undefined || omitted.has(child)) continue;
      const share = (measure.text - measure.linked) / Math.max(1, running);
      const names = [...classes(child), attribute(child, "id").toLowerCase()];
      const least = isMain(child)
        ? 0.5
        : child.name === "article" || names.some((name) => name.length < 60 && CONTENT_NAMES.test(name))
        ? 0.75
        : undefined;
      if (least !== undefined && share >= least) found = child;
      if (share >= 0.5) next = child;
    }
    if (next === undefined) return found;
    element = next;
  }
}

function hasFirstHeading(content: Element, measures: ReadonlyMap<Element, Measure>): boolean {
  for (const child of elements(content)) {
    if (!measures.has(child)) continue;
    if (child.name === "h1" || hasFirstHeading(child, measures)) return true;
  }
  return false;
}

/**
 * Returns the last first-level heading before the content. If the element around it also has another heading, returns that
 * element: AsciiDoc's manual pages have the name and the purpose of a command there.
 */
function headingBefore(
  root: Element,
  content: Element,
  measures: ReadonlyMap<Element, Measure>,
  omitted: ReadonlySet<Element>,
): Element | undefined {
  let found: { readonly heading: Element; readonly parent: Element } | undefined;
  /** Visits elements in document order. Returns true when it has reached the content. */
  const visit = (element: Element): boolean => {
    if (element === content) return true;
    for (const child of elements(element)) {
      if (!measures.has(child) || omitted.has(child)) continue;
      if (child.name === "h1") found = { heading: child, parent: element };
      if (!visit(child)) continue;
      if (found?.parent === element) found = { heading: found.heading, parent: found.heading };
      return true;
    }
    return false;
  };
  if (!visit(root) || found === undefined) return undefined;
  const { heading, parent } = found;
  return elements(parent).some(({ name }) => name === "h2") ? parent : heading;
}

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
function isMain(element: Element): boolean {
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
