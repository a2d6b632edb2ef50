/**
 * Loads trees of topics: mind maps of XMind and FreeMind (Freeplane), and outlines in OPML.
 * The upper topics become headings, the others list items. Below it: the three formats, and lines of rich text.
 */
import { commentLabel, link } from "../office/text.ts";
import {
  type Document,
  DocumentError,
  guarded,
  joined,
  kept,
  type Loader,
  shortName,
  taken,
} from "../types.ts";
import { bytesToText } from "../decode.ts";
import { htmlLines } from "../html/lines.ts";
import { listOf, recordOf, textIn } from "../json_fields.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described, isoDate } from "../metadata.ts";
import { child, children, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";
import { Zip, ZIP_LIMITS } from "../zip.ts";

/** A topic with its place in the tree. */
interface Topic {
  /** May have several lines. */
  readonly title: string;
  readonly link?: string | undefined;
  /** Lines that belong to it: notes, labels, comments. */
  readonly notes: readonly string[];
  readonly children: readonly Topic[];
}

/** Bytes of text that a map may inflate to. */
const MOST_TEXT = 200_000_000;

/** XMind before and after 2020 (`content.xml`, `content.json`). */
export const loader: Loader = guarded((bytes) =>
  loadXMind(new Zip(bytes, { ...ZIP_LIMITS, size: MOST_TEXT }))
);

/** FreeMind, Freeplane and OPML. */
export const outlineLoader: Loader = guarded(async (bytes, file) => {
  const root = parseXml((await bytesToText(bytes, file)).text);
  if (root.name === "map") return loadFreeMind(root);
  if (root.name === "opml") return loadOpml(root);
  throw new DocumentError("damaged", "it is neither a mind map nor an outline");
});

/** Levels of headings. Topics below them are list items. */
const HEADINGS = 3;
/** Longest title of a heading, in UTF-16 units. Longer ones are sentences. */
const LONGEST_HEADING = 120;

/** Adds a topic with those below it. */
function write(topic: Topic, builder: MarkdownBuilder, level: number): void {
  builder.heading(level, topic.title);
  builder.paragraph([...(topic.title === "" ? [] : linked("", topic.link)), ...topic.notes].join("\n"));
  writeAll(topic.children, builder, level + 1);
}

/** Adds topics of one level: as headings if one of them has others below it and all of them are short. */
function writeAll(topics: readonly Topic[], builder: MarkdownBuilder, level: number): void {
  const areHeadings = level <= HEADINGS && topics.some((one) => one.children.length > 0) &&
    topics.every(({ title }) => title.length <= LONGEST_HEADING && !title.trim().includes("\n"));
  for (const topic of topics) areHeadings ? write(topic, builder, level) : writeItem(topic, builder, 0);
}

function writeItem(topic: Topic, builder: MarkdownBuilder, depth: number): void {
  const lines = [...linked(topic.title, topic.link), ...topic.notes];
  builder.item({ depth, text: lines.join("\n") });
  const inner = lines.join("").trim() === "" ? depth : depth + 1;
  for (const one of topic.children) writeItem(one, builder, inner);
}

/** Returns a text as a link to an address of the web, or the address if there is no text. */
function linked(text: string, address: string | undefined): string[] {
  if (address === undefined || !/^https?:/i.test(address)) return text === "" ? [] : [text];
  const parts = [text === "" ? address : text];
  link(parts, 0, address);
  // A text with brackets or several lines cannot be the text of a link.
  return parts[0] === text && !text.includes(address) ? [text, address] : parts;
}

// XMind

/** A topic in `content.json`, as far as it is read. Every field may be missing. */
interface JsonTopic {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly attributedTitle?: unknown;
  readonly href?: unknown;
  readonly labels?: unknown;
  readonly notes?: { readonly plain?: { readonly content?: unknown } };
  readonly children?: Readonly<Record<string, unknown>>;
  readonly boundaries?: unknown;
  readonly extensions?: unknown;
}

/** Texts that XMind keeps beside the topics. */
interface Found {
  readonly labels: Set<string>;
  /** Short titles of topics by identifier, which relationships repeat. */
  readonly titles: Map<string, string>;
  /** Comments by the identifier of their topic. The first topic with it has them. */
  readonly comments: Map<string, string[]>;
}

function loadXMind(zip: Zip): Document {
  refuseEncrypted(zip);
  const builder = new MarkdownBuilder();
  const found: Found = { labels: new Set(), titles: new Map(), comments: readComments(zip) };
  const json = zip.read("content.json");
  const xml = json === undefined ? zip.read("content.xml") : undefined;
  if (json === undefined && xml === undefined) throw new DocumentError("damaged", "the file has no map");
  const modified = json === undefined
    ? writeXml(parseXml(xml!, XMIND), builder, found)
    : writeJson(JSON.parse(new TextDecoder().decode(json)), builder, found);
  const author = zip.read("meta.xml");
  const name = author === undefined ? "" : lineOf(child(parseXml(author, XMIND), "Author", "Name"));
  return builder.finish(described([["modified", modified], ["author", name], ["tags", [...found.labels]]]));
}

const XMIND = {
  "urn:xmind:xmap:xmlns:content:2.0": "",
  "urn:xmind:xmap:xmlns:comments:2.0": "",
  "urn:xmind:xmap:xmlns:meta:2.0": "",
  "http://www.w3.org/1999/xlink": "xlink",
};

/** The manifest, in JSON or XML, names the parts that are encrypted. */
function refuseEncrypted(zip: Zip): void {
  for (const name of ["manifest.json", "META-INF/manifest.xml"]) {
    const manifest = zip.read(name);
    if (manifest === undefined || !/encryption-?data/i.test(new TextDecoder().decode(manifest))) continue;
    throw new DocumentError("encrypted", "a password is needed to open the map");
  }
}

function readComments(zip: Zip): Map<string, string[]> {
  const comments = new Map<string, string[]>();
  const part = zip.read("comments.xml");
  if (part === undefined) return comments;
  for (const one of children(parseXml(part, XMIND), "comment")) {
    const { author, time } = one.attributes;
    const label = commentLabel(author, timeOf(time));
    kept(comments, one.attributes["object-id"] ?? "", () => []).push(
      `${label} ${lineOf(child(one, "content"))}`,
    );
  }
  return comments;
}

/** Returns a time in milliseconds since 1970 in ISO 8601, whose years have four digits. */
function timeOf(value: unknown): string | undefined {
  const date = new Date(Number(value));
  return !value || Number.isNaN(date.getTime()) ? undefined : isoDate(date.toISOString());
}

function writeJson(sheets: unknown, builder: MarkdownBuilder, found: Found): undefined {
  for (const [i, sheet] of listOf(sheets).entries()) {
    builder.page(i + 1, "sheet", textIn(sheet.title));
    const topic = jsonTopic(recordOf(sheet.rootTopic), found);
    if (topic !== undefined) write(topic, builder, 1);
    for (const { title, end1Id, end2Id } of listOf(sheet.relationships)) {
      writeRelation(textIn(title), textIn(end1Id), textIn(end2Id), builder, found);
    }
  }
}

/** Kinds of topics below a topic, in the order in which they are read. */
const KINDS = ["attached", "callout", "summary", "detached"];

function jsonTopic(topic: JsonTopic | undefined, found: Found): Topic | undefined {
  if (topic === undefined) return undefined;
  const runs = listOf(topic.attributedTitle).map(({ text }) => textIn(text)).join("");
  const title = textIn(topic.title) || runs;
  const labels = Array.isArray(topic.labels) ? topic.labels.map(textIn).filter((label) => label !== "") : [];
  for (const label of labels) found.labels.add(label);
  const below = recordOf(topic.children) ?? {};
  const kinds = [...KINDS, ...Object.keys(below).filter((kind) => !KINDS.includes(kind))];
  const comments = listOf(topic.extensions).flatMap(({ provider, content }) =>
    /comment/i.test(textIn(provider))
      ? listOf(content).map(({ author, content: text }) => `${commentLabel(textIn(author))} ${textIn(text)}`)
      : []
  );
  return {
    title: withLabels(title, labels),
    link: textIn(topic.href),
    notes: [
      textIn(recordOf(recordOf(topic.notes)?.plain)?.content).trim(),
      ...commentsOn(textIn(topic.id), title, found),
      ...comments,
      ...listOf(topic.boundaries).map((one) => textIn(one.title)),
    ].filter((note) => note !== ""),
    children: kinds.flatMap((kind) => listOf(below[kind]).map((one) => jsonTopic(one, found)!)),
  };
}

function withLabels(title: string, labels: readonly string[]): string {
  return [title, ...labels.map((label) => `[${label}]`)].join(" ").trim();
}

/** Returns when the map was changed, as files in JSON do not say. */
function writeXml(root: XmlElement, builder: MarkdownBuilder, found: Found): string | undefined {
  for (const [i, sheet] of children(root, "sheet").entries()) {
    builder.page(i + 1, "sheet", lineOf(child(sheet, "title")));
    const topic = child(sheet, "topic");
    if (topic !== undefined) write(xmlTopic(topic, found), builder, 1);
    for (const relation of children(child(sheet, "relationships"), "relationship")) {
      const { end1 = "", end2 = "" } = relation.attributes;
      writeRelation(lineOf(child(relation, "title")), end1, end2, builder, found);
    }
  }
  return timeOf(root.attributes.timestamp);
}

function xmlTopic(topic: XmlElement, found: Found): Topic {
  const title = textOf(child(topic, "title")).trim();
  const labels = children(child(topic, "labels"), "label").map(lineOf).filter((label) => label !== "");
  for (const label of labels) found.labels.add(label);
  const lists = children(child(topic, "children"), "topics");
  const below = [...KINDS, ""].flatMap((kind) =>
    lists.filter(({ attributes: { type = "" } }) => kind === "" ? !KINDS.includes(type) : type === kind)
  );
  return {
    title: withLabels(title, labels),
    link: topic.attributes["xlink:href"],
    notes: [
      textOf(child(topic, "notes", "plain")).trim(),
      ...commentsOn(topic.attributes.id ?? "", title, found),
      ...children(child(topic, "boundaries"), "boundary").map((one) => lineOf(child(one, "title"))),
    ].filter((note) => note !== ""),
    children: below.flatMap((list) => children(list, "topic").map((one) => xmlTopic(one, found))),
  };
}

/** Returns the comments on a topic, and keeps its title. Nothing refers to one without an identifier. */
function commentsOn(id: string, title: string, { titles, comments }: Found): string[] {
  if (id === "") return [];
  titles.set(id, shortName(title.split("\n")));
  return taken(comments, id);
}

/** Adds a line between two topics, if it has a text. */
function writeRelation(
  title: string,
  from: string,
  to: string,
  builder: MarkdownBuilder,
  { titles }: Found,
): void {
  const ends = [from, to].map((id) => titles.get(id) ?? "").filter((name) => name !== "");
  if (title !== "") builder.paragraph(joined([ends.length === 2 ? `${ends.join(" → ")}:` : "", title], " "));
}

// FreeMind

function loadFreeMind(map: XmlElement): Document {
  const builder = new MarkdownBuilder();
  const root = child(map, "node");
  const tags = new Set<string>();
  if (root !== undefined) write(freeMindTopic(root, tags), builder, 1);
  const { CREATED, MODIFIED } = root?.attributes ?? {};
  return builder.finish(
    described([["created", timeOf(CREATED)], ["modified", timeOf(MODIFIED)], ["tags", [...tags]]]),
  );
}

function freeMindTopic(node: XmlElement, tags: Set<string>): Topic {
  const { TEXT, LINK, TAGS, ENCRYPTED_CONTENT } = node.attributes;
  const rich = (type: string) =>
    children(node, "richcontent").filter(({ attributes }) => attributes.TYPE === type).flatMap(richLines);
  for (const tag of (TAGS ?? "").split("\n")) if (tag.trim() !== "") tags.add(tag.trim());
  return {
    title: (TEXT ?? rich("NODE").join("\n")).trim(),
    link: LINK,
    notes: [
      ...rich("DETAILS"),
      ...rich("NOTE"),
      ...children(node, "attribute").map(({ attributes: { NAME = "", VALUE = "" } }) =>
        VALUE === "" ? "" : `${NAME}: ${VALUE}`
      ),
      ...children(node, "arrowlink").flatMap(({ attributes }) =>
        [attributes.SOURCE_LABEL, attributes.MIDDLE_LABEL, attributes.TARGET_LABEL].map((label) =>
          label ?? ""
        )
      ),
      ENCRYPTED_CONTENT === undefined ? "" : "(The topics below are encrypted.)",
    ].filter((note) => note.trim() !== ""),
    children: children(node, "node").map((one) => freeMindTopic(one, tags)),
  };
}

const BLOCKS = /^(?:p|div|li|tr|h[1-6]|ul|ol|table|pre|br|blockquote)$/i;

/** Returns the lines of HTML in a mind map. */
function richLines(content: XmlElement): string[] {
  let text = "";
  const visit = (element: XmlElement) => {
    for (const node of element.children) {
      if (typeof node === "string") text += node.replace(/\s+/g, " ");
      else if (!/^(?:head|style|script)$/i.test(node.name)) {
        const edge = BLOCKS.test(node.name) ? "\n" : /^t[dh]$/i.test(node.name) ? " " : "";
        text += edge;
        visit(node);
        text += edge;
      }
    }
  };
  visit(content);
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

// OPML

function loadOpml(root: XmlElement): Document {
  const builder = new MarkdownBuilder();
  const head = child(root, "head");
  const text = (name: string) => lineOf(child(head, name));
  const topics = children(child(root, "body"), "outline").map(opmlTopic);
  const title = text("title");
  builder.heading(1, title);
  writeAll(topics, builder, title === "" ? 1 : 2);
  return builder.finish(described([
    ["title", title],
    ["author", text("ownerName")],
    ["created", text("dateCreated")],
    ["modified", text("dateModified")],
    ["tags", categories(child(root, "body"))],
  ]));
}

function opmlTopic(outline: XmlElement): Topic {
  const { text = "", title = "", _note = "", description = "", url, htmlUrl, xmlUrl } = outline.attributes;
  const shown = plain(text) || plain(title);
  // A feed has a page for readers as well, which may be missing or empty.
  const link = url || htmlUrl || xmlUrl;
  const feed = xmlUrl === link ? "" : xmlUrl ?? "";
  return {
    title: shown,
    link,
    notes: [...[_note, description].map(plain), feed.trim()].filter((note) => note !== "" && note !== shown),
    children: children(outline, "outline").map(opmlTopic),
  };
}

/** Returns a text of an outline without the HTML that programs write into it. */
function plain(text: string): string {
  return /<[a-z]|&\w/i.test(text)
    ? text.split("\n").map((line) => htmlLines(line).join("\n")).join("\n").trim()
    : text.trim();
}

/** Returns the categories of all topics, which are paths separated by commas. */
function categories(body: XmlElement | undefined): string[] {
  const found = new Set<string>();
  const visit = (outline: XmlElement | undefined) => {
    for (const one of children(outline, "outline")) {
      for (const path of (one.attributes.category ?? "").split(",")) {
        const tag = path.trim().replace(/^\//, "");
        if (tag !== "" && found.size < 100) found.add(tag);
      }
      visit(one);
    }
  };
  visit(body);
  return [...found];
}
