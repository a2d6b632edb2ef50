import { languageTag } from "../html/mod.ts";
import type { Metadata } from "../types.ts";
import { child, children, descendants, type XmlElement } from "../xml/mod.ts";

/** The front matter of an article. */
export interface Front {
  readonly title: string;
  /** Subtitle, and titles in other languages. */
  readonly subtitles: readonly string[];
  readonly authors: readonly string[];
  readonly affiliations: readonly string[];
  readonly keywords: readonly string[];
  readonly abstracts: readonly XmlElement[];
  readonly metadata: Metadata;
}

/** Reads `front`, `front-stub` or a book's metadata. */
export function readFront(article: XmlElement): Front {
  const outer = child(article, "front") ?? child(article, "front-stub") ?? article;
  const meta = child(outer, "article-meta") ?? child(article, "book-meta") ?? outer;
  const titles = child(meta, "title-group") ?? child(meta, "book-title-group");
  const title = line(child(titles, "article-title") ?? child(titles, "book-title"));
  const authors = children(meta, "contrib-group").flatMap((group) =>
    children(group, "contrib").filter((one) => (one.attributes["contrib-type"] ?? "author") === "author").map(
      authorOf,
    )
  ).filter((name) => name !== "");
  const others = affiliationsOfOthers(meta);
  const affiliations = [
    ...new Set(descendants(meta, "aff").filter((aff) => !others.has(aff)).map(affiliationOf)),
  ];
  const date = dateOf(meta);
  const language = languageTag(article.attributes["xml:lang"] ?? "");
  return {
    title,
    subtitles: [
      line(child(titles, "subtitle")),
      ...children(titles, "trans-title-group").map((group) => line(child(group, "trans-title"))),
    ].filter((one) => one !== ""),
    authors,
    affiliations: affiliations.filter((one) => one !== ""),
    keywords: descendants(meta, "kwd").map(line).filter((one) => one !== ""),
    abstracts: [...children(meta, "abstract"), ...children(meta, "trans-abstract")],
    metadata: {
      ...(authors.length === 0 ? {} : { author: authors.join(", ").slice(0, 500) }),
      ...(date === undefined ? {} : { date }),
      ...(language === undefined ? {} : { language }),
    },
  };
}

function authorOf(contributor: XmlElement): string {
  const name = child(contributor, "name") ?? child(child(contributor, "name-alternatives"), "name");
  if (name === undefined) return line(child(contributor, "string-name") ?? child(contributor, "collab"));
  const parts = ["prefix", "given-names", "surname", "suffix"].map((part) => line(child(name, part))).filter((
    part,
  ) => part !== "");
  // Chinese, Japanese and Korean names have the surname first, without a blank.
  const isEastern = name.attributes["name-style"] === "eastern" ||
    parts.every((part) => /^[\p{sc=Han}]+$/u.test(part));
  return isEastern ? `${line(child(name, "surname"))}${line(child(name, "given-names"))}` : parts.join(" ");
}

function affiliationOf(affiliation: XmlElement): string {
  const skipped = new Set(["label", "institution-id", "email", "sup", "xref", "phone", "fax"]);
  const parts = affiliation.children.map((one) =>
    typeof one === "string" ? one : skipped.has(one.name) ? "" : textWithout(one, skipped)
  );
  const hasPunctuation = affiliation.children.some((one) => typeof one === "string" && /[,;、，]/.test(one));
  const text = hasPunctuation
    ? parts.join("")
    : parts.map((part) => part.trim()).filter((part) => part !== "").join(", ");
  return text.replace(/\s+/g, " ").trim();
}

function textWithout(element: XmlElement, skipped: ReadonlySet<string>): string {
  return element.children.map((one) =>
    typeof one === "string" ? one : skipped.has(one.name) ? "" : textWithout(one, skipped)
  ).join("");
}

/** Returns the affiliations of editors and reviewers, which no author has. */
function affiliationsOfOthers(meta: XmlElement): Set<XmlElement> {
  const users = new Map<string, { author: boolean }>();
  const others = new Set<XmlElement>();
  for (const contributor of children(meta, "contrib-group").flatMap((group) => children(group, "contrib"))) {
    const author = (contributor.attributes["contrib-type"] ?? "author") === "author";
    if (!author) { for (const own of descendants(contributor, "aff")) others.add(own); }
    for (const xref of descendants(contributor, "xref")) {
      for (const id of (xref.attributes.rid ?? "").split(/\s+/)) {
        users.set(id, { author: author || (users.get(id)?.author ?? false) });
      }
    }
  }
  for (const affiliation of descendants(meta, "aff")) {
    if (users.get(affiliation.attributes.id ?? "")?.author === false) others.add(affiliation);
  }
  return others;
}

function dateOf(meta: XmlElement): string | undefined {
  const dates = children(meta, "pub-date");
  const kind = (one: XmlElement) => one.attributes["pub-type"] ?? one.attributes["date-type"] ?? "";
  const date = dates.find((one) => /^e?pub$/.test(kind(one))) ?? dates[0];
  const year = /^\d{4}$/.exec(line(child(date, "year")))?.[0];
  if (year === undefined) return undefined;
  const [month, day] = ["month", "day"].map((part) =>
    /^\d{1,2}$/.exec(line(child(date, part)))?.[0].padStart(2, "0")
  );
  return [year, ...(month === undefined ? [] : [month, ...(day === undefined ? [] : [day])])].join("-");
}

function line(element: XmlElement | undefined): string {
  return element === undefined
    ? ""
    : textWithout(element, new Set(["xref", "fn"])).replace(/\s+/g, " ").trim();
}
