import { child, children, textOf, type XmlElement } from "../xml/mod.ts";

/** Returns a reference on one line. A reference with punctuation is kept as it is. */
export function citation(node: XmlElement): string {
  const isMixed = node.name === "mixed-citation" ||
    node.children.some((one) => typeof one === "string" && /\p{L}|[,.;]/u.test(one));
  return (isMixed ? mixedText(node) : composed(node)).replace(/\s+/g, " ").trim();
}

/** Returns the text of a citation. Parts of a name are separated. */
function mixedText(node: XmlElement): string {
  if (node.name === "object-id" || node.name === "label") return "";
  const isName = node.name === "name" &&
    node.children.every((one) => typeof one !== "string" || one.trim() === "");
  return node.children.map((one) => typeof one === "string" ? one : mixedText(one)).join(isName ? " " : "");
}

/** Returns a reference in the form: Authors. Title. Source volume:pages (year). DOI */
function composed(node: XmlElement): string {
  const part = (...names: string[]) =>
    names.map((name) => textOf(child(node, name)).trim()).find((text) => text !== "") ?? "";
  const groups = children(node, "person-group");
  const people = [
    ...groups.flatMap((group) => children(group)),
    ...children(node, "name"),
    ...children(node, "collab"),
  ]
    .map((one) =>
      one.name === "name"
        ? children(one).map(textOf).join(" ")
        : one.name === "etal"
        ? "et al"
        : textOf(one).trim()
    )
    .filter((one) => one !== "");
  const pages = [part("fpage", "elocation-id"), part("lpage")].filter((page) => page !== "").join("–");
  const volume = part("volume");
  const year = part("year");
  const source = [
    part("source"),
    [volume, pages].filter((one) => one !== "").join(":"),
    year === "" ? "" : `(${year})`,
  ].filter((one) => one !== "").join(" ");
  const numbers = children(node, "pub-id").map((id) =>
    `${(id.attributes["pub-id-type"] ?? "").toUpperCase()}: ${textOf(id).trim()}`
  );
  const publisher = [part("publisher-loc"), part("publisher-name")].filter((one) => one !== "").join(": ");
  const link = textOf(child(node, "ext-link")).trim();
  return [
    people.join(", "),
    part("article-title", "data-title", "chapter-title", "part-title"),
    source,
    publisher,
    numbers.join(", "),
    link,
  ]
    .filter((one) => one !== "").map((one) => /[.?!]$/.test(one) ? one : `${one}.`).join(" ");
}
