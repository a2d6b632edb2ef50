import { isoDate, languageTag, writeTree } from "../html/mod.ts";
import type { Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document, Metadata } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, descendants, lineOf, parseXml, type XmlElement } from "../xml/mod.ts";
import { convertElement } from "./convert.ts";
import { titleOf } from "./titles.ts";

const PREFIXES = {
  "http://docbook.org/ns/docbook": "",
  "http://www.w3.org/1998/Math/MathML": "",
  "http://www.w3.org/1999/xlink": "xlink",
};

/** DocBook 4 and 5: books, articles, manual pages and parts of them. */
export const loader: Loader = {
  load: (bytes) => guarded(() => loadDocBook(parseXml(bytes, { prefixes: PREFIXES }))),
};

function loadDocBook(root: XmlElement): Document {
  const builder = new MarkdownBuilder();
  const info = children(root).find(({ name }) => name === "info" || name.endsWith("info"));
  writeTree(convertElement(root, 1), builder);
  return builder.finish({ title: titleOf(root), metadata: metadataOf(root, info) });
}

function metadataOf(root: XmlElement, info: XmlElement | undefined): Metadata {
  const authors = [...descendants(info, "author"), ...descendants(info, "editor")].map((one) => {
    const name = child(one, "personname") ?? one;
    const parts = ["firstname", "givenname", "surname"].map((part) => lineOf(child(name, part))).filter((
      part,
    ) => part !== "");
    return parts.length > 0 ? parts.join(" ") : lineOf(child(one, "personname") ?? child(one, "orgname"));
  }).filter((name) => name !== "");
  const date = isoDate(lineOf(child(info, "pubdate") ?? child(info, "date")));
  const language = languageTag(root.attributes["xml:lang"] ?? root.attributes.lang ?? "");
  return {
    ...(authors.length === 0 ? {} : { author: authors.join(", ").slice(0, 500) }),
    ...(date === undefined ? {} : { date }),
    ...(language === undefined ? {} : { language }),
  };
}
