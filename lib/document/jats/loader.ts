import { writeTree } from "../html/mod.ts";
import type { Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children, lineOf, parseXml, type XmlElement } from "../xml/mod.ts";
import { convert, convertElement } from "./body.ts";
import { readFront } from "./front.ts";

const PREFIXES = { "http://www.w3.org/1998/Math/MathML": "", "http://www.w3.org/1999/xlink": "xlink" };
/** Matches types of letters between authors and reviewers that are printed with an article. */
const REVIEW =
  /^(?:decision-letter|reply|referee-report|reviewer-report|editor-report|author-comment|aggregated-review-documents)$/;

/** JATS and NLM articles, BITS books, and article sets of PubMed Central. */
export const loader: Loader = {
  load: (bytes) => guarded(() => loadJats(parseXml(bytes, { prefixes: PREFIXES }))),
};

function loadJats(root: XmlElement): Document {
  const articles = /^(?:article|book)$/.test(root.name) ? [root] : children(root, "article");
  const builder = new MarkdownBuilder();
  const fronts = articles.map((article) => writeArticle(article, builder, 1));
  const front = fronts[0];
  if (front === undefined) throw new DocumentError("unsupported", `its root element is ${root.name}`);
  return builder.finish({ title: front.title, metadata: fronts.length === 1 ? front.metadata : {} });
}

function writeArticle(
  article: XmlElement,
  builder: MarkdownBuilder,
  level: number,
): ReturnType<typeof readFront> {
  const front = readFront(article);
  builder.heading(level, front.title);
  for (const subtitle of front.subtitles) builder.paragraph(subtitle);
  builder.paragraph(front.authors.join(", "));
  builder.paragraph(front.affiliations.join("; "));
  for (const abstract of front.abstracts) {
    builder.heading(level + 1, lineOf(child(abstract, "title")) || "Abstract");
    const title = child(abstract, "title");
    writeTree(
      convert({ ...abstract, children: abstract.children.filter((one) => one !== title) }, level + 2),
      builder,
    );
  }
  if (front.keywords.length > 0) builder.paragraph(`Keywords: ${front.keywords.join(", ")}`);
  for (const part of children(article)) {
    if (/^(?:body|back|floats-group|book-body|book-back|front-matter)$/.test(part.name)) {
      writeTree(children(part).flatMap((one) => convertElement(one, level + 1)), builder);
    } else if (
      /^(?:sub-article|response)$/.test(part.name) && !REVIEW.test(part.attributes["article-type"] ?? "")
    ) {
      writeArticle(part, builder, level + 1);
    }
  }
  return front;
}
