import { child, children, textOf, type XmlElement } from "../xml/mod.ts";

/** Most spaces that one element stands for. */
const MOST_SPACES = 20;

/** Returns the paragraphs of a cell, comment or shape. */
export function paragraphs(element: XmlElement | undefined): string {
  return children(element, "text:p").map(inline).join("\n");
}

function inline(element: XmlElement): string {
  return element.children.map((node) => {
    if (typeof node === "string") return node.replace(/\s+/g, " ");
    switch (node.name) {
      case "text:s":
        return " ".repeat(Math.min(MOST_SPACES, Number(node.attributes["text:c"] ?? 1) || 1));
      case "text:tab":
        return " ";
      case "text:line-break":
        return "\n";
      case "office:annotation":
      case "text:ruby-text":
        return "";
      default:
        return inline(node);
    }
  }).join("");
}

/** Returns the text that a cell shows. Programs store it with the value; without it the value is returned. */
export function cellText(cell: XmlElement): string {
  const text = paragraphs(cell);
  if (text.trim() !== "") return text;
  const value = (name: string) => cell.attributes[`office:${name}`];
  if (value("value-type") === "percentage" && value("value") !== undefined) {
    return `${Number((Number(value("value")) * 100).toPrecision(12))}%`;
  }
  return value("string-value") ?? value("date-value") ?? value("time-value") ??
    value("boolean-value")?.toUpperCase() ?? value("value") ?? "";
}

/** Returns title, author and date of a document from its `office:meta`. */
export function properties(meta: XmlElement | undefined) {
  const value = (name: string) => textOf(child(meta, name)).trim();
  const [title, author, language] = [value("dc:title"), value("dc:creator"), value("dc:language")];
  const dateOf = (name: string) => /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?/.exec(value(name))?.[0];
  const created = dateOf("meta:creation-date");
  const date = dateOf("dc:date") ?? created;
  const initial = value("meta:initial-creator");
  const tags = children(meta, "meta:keyword").map((one) => textOf(one).trim()).filter((tag) => tag !== "");
  return {
    title: title === "" ? undefined : title,
    metadata: {
      ...(author || initial ? { author: author || initial } : {}),
      ...(date === undefined ? {} : { date }),
      ...(created === undefined ? {} : { created }),
      ...(language === "" ? {} : { language }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  };
}
