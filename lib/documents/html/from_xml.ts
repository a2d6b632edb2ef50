/**
 * Converts other markup to HTML elements by rules, and writes them: for DocBook, JATS and formulas of OpenDocument.
 * Below it: tables of the CALS and HTML models.
 */
import type { MarkdownBuilder } from "../markdown_builder.ts";
import { Flow } from "./flow.ts";
import { measureTree } from "./boilerplate.ts";
import type { Element } from "./parse.ts";
import { byName } from "../types.ts";
import { children, type XmlElement } from "../xml.ts";

/** The content of an HTML element. */
export type Content = (Element | string)[];

/** Converts an element. `inner`: converts its content. `level`: that of the headings in it. */
export type Rule = (node: XmlElement, level: number, inner: () => Content) => Content | Element | string;

/** Converts the elements of a vocabulary to those of HTML. */
export interface Converter {
  /** Returns the converted content of an element. */
  content(node: XmlElement, level: number): Content;
  /** Returns a converted element. */
  element(node: XmlElement, level: number): Content;
}

/** Returns a converter by rules, for names separated by blanks. Elements without a rule are replaced by their content. */
export function converter(rules: Readonly<Record<string, Rule>>): Converter {
  const ruleOf = byName(rules);
  const content = (node: XmlElement, level: number): Content =>
    node.children.flatMap((one) => typeof one === "string" ? one : convert(one, level));
  const convert = (node: XmlElement, level: number): ReturnType<Rule> => {
    const inner = () => content(node, level);
    return ruleOf.get(node.name)?.(node, level, inner) ?? inner();
  };
  return { content, element: (node, level) => [convert(node, level)].flat() };
}

/** Returns the rule that leaves an element out. */
export const leftOut: Rule = () => [];

/** Returns the rule for elements that have a counterpart in HTML. */
export function as(name: string): Rule {
  return (_node, _level, inner) => element(name, inner());
}

/** Returns a section, with a heading unless that is empty. */
export function section(level: number, heading: Content, content: Content): Element {
  return element("section", [
    ...(heading.length === 0 ? [] : [element(`h${Math.min(6, level)}`, heading)]),
    ...content,
  ]);
}

/** Returns an HTML element that a loader makes from other markup. */
export function element(
  name: string,
  children: readonly (Element | string)[],
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const made: Element = { name, attributes, children: [...children], parent: undefined };
  for (const child of made.children) {
    if (typeof child !== "string") (child as { parent: Element | undefined }).parent = made;
  }
  return made;
}

/** Returns the HTML element of an element of MathML. */
export function mathElement({ name, attributes, children }: XmlElement): Element {
  const inner = children.map((one) => typeof one === "string" ? one : mathElement(one));
  return element(name.replace(/^\w+:/, ""), inner, attributes);
}

/** Adds elements made by {@linkcode element} to a document. */
export function writeTree(children: Content, builder: MarkdownBuilder): void {
  const root = element("#root", children);
  new Flow(builder, { measures: measureTree(root, { hidden: false }), omitted: new Set() }).write(root);
}

type Convert = (node: XmlElement) => Content;

/** Converts a table of the CALS or HTML model. DocBook and JATS have both. `convert`: converts the content of a cell. */
export function tableOf(table: XmlElement, convert: Convert): Element[] {
  const groups = children(table, "tgroup").concat(children(table, "oasis:tgroup"));
  if (groups.length === 0) return [element("table", sectionsOf(table, convert, []), { role: "table" })];
  return groups.map((group) =>
    element("table", sectionsOf(group, convert, columnsOf(group)), { role: "table" })
  );
}

function sectionsOf(parent: XmlElement, convert: Convert, columns: readonly string[]): Element[] {
  return children(parent).flatMap((child) => {
    const name = local(child.name);
    if (name === "thead" || name === "tbody" || name === "tfoot") {
      return [element(name, sectionsOf(child, convert, columns))];
    }
    if (name !== "tr" && name !== "row") return [];
    return [
      element(
        "tr",
        children(child).map((cell) => cellOf(cell, convert, columns, local(parent.name) === "thead")),
      ),
    ];
  });
}

function cellOf(cell: XmlElement, convert: Convert, columns: readonly string[], inHead: boolean): Element {
  const { colspan, rowspan, morerows, namest, nameend } = cell.attributes;
  const first = columns.indexOf(namest ?? "");
  const last = columns.indexOf(nameend ?? "");
  const width = first >= 0 && last > first ? `${last - first + 1}` : colspan;
  const height = morerows === undefined ? rowspan : `${Number.parseInt(morerows, 10) + 1}`;
  return element(inHead || cell.name === "th" ? "th" : "td", convert(cell), {
    ...(width === undefined ? {} : { colspan: width }),
    ...(height === undefined ? {} : { rowspan: height }),
  });
}

function columnsOf(group: XmlElement): string[] {
  return children(group).filter(({ name }) => local(name) === "colspec").map((spec, i) =>
    spec.attributes.colname ?? `${i + 1}`
  );
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
