/** Loads exports of Evernote (ENEX): each note is a section with its tags and attachments. */
import { convertHtml } from "../html/loader.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { type Described, described } from "../metadata.ts";
import { DocumentError, fileName, guarded, type Loader } from "../types.ts";
import { child, children, lineOf, readElements, textOf, type XmlElement } from "../xml.ts";

/** Exports of Evernote and Yinxiang Biji: one section for each note. */
export const loader: Loader = guarded(async (bytes, file) => {
  const builder = new MarkdownBuilder();
  let first: Described = {};
  let [count, locked] = [0, 0];
  const [tags, authors] = [new Set<string>(), new Set<string>()];
  for (const { element } of readElements(bytes, ["note"])) {
    if (++count === 1) first = describe(element);
    for (const tag of tagsOf(element)) tags.add(tag);
    authors.add(authorOf(element));
    if (!await writeNote(element, builder)) locked++;
  }
  if (count === 0) throw new DocumentError("damaged", "the file has no notes");
  if (locked === count) throw new DocumentError("encrypted", "the notes are encrypted");
  if (count === 1) return builder.finish(first);
  return builder.finish(
    described([
      ["title", fileName(file.path).replace(/\.[^.]*$/, "")],
      ["authors", [...authors].filter((author) => author !== "")],
      ["tags", [...tags]],
    ]),
  );
});

/** Adds a note. Returns `false` if its content is encrypted. */
async function writeNote(note: XmlElement, builder: MarkdownBuilder): Promise<boolean> {
  const [tags, source] = [tagsOf(note), sourceOf(note)];
  builder.heading(1, lineOf(child(note, "title")) || "(untitled)");
  builder.paragraph([
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(", ")}`]),
    ...(source === "" ? [] : [`Source: ${source}`]),
  ].join("\n"));
  const content = child(note, "content");
  if (/aes/i.test(content?.attributes.encoding ?? "")) {
    builder.paragraph("(The note is encrypted.)");
    return false;
  }
  await convertHtml(readable(textOf(content)), builder, { xml: true, extent: "whole", headingOffset: 1 });
  for (const task of children(note, "task")) {
    const done = lineOf(child(task, "taskStatus")) === "completed";
    builder.item({ depth: 0, text: `${done ? "☑" : "☐"} ${lineOf(child(task, "title"))}` });
  }
  const names = children(note, "resource").map((one) =>
    lineOf(child(one, "resource-attributes", "file-name"))
  )
    .filter((name) => name !== "");
  if (names.length > 0) builder.paragraph(`Attachments: ${names.join(", ")}`);
  return true;
}

/** Replaces what is not HTML in the markup of Evernote: check boxes and encrypted parts. */
function readable(enml: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const mark of enml.matchAll(/<en-(crypt|todo)\b([^<>]{0,2000})>/g)) {
    if (mark.index < at) continue;
    parts.push(enml.slice(at, mark.index));
    at = mark.index + mark[0].length;
    const { 1: name, 2: attributes = "" } = mark;
    if (name === "todo") parts.push(/checked\s*=\s*["']true/.test(attributes) ? "☑ " : "☐ ");
    else {
      const hint = /hint\s*=\s*"([^"]*)"/.exec(attributes)?.[1] ?? "";
      parts.push(`<p>(This part is encrypted.${hint === "" ? "" : ` Hint: ${hint}`})</p>`);
      const end = enml.indexOf("</en-crypt>", at);
      if (!attributes.endsWith("/")) at = end < 0 ? enml.length : end;
    }
  }
  return [...parts, enml.slice(at)].join("");
}

function tagsOf(note: XmlElement): string[] {
  return children(note, "tag").map(lineOf).filter((tag) => tag !== "");
}

function sourceOf(note: XmlElement): string {
  return lineOf(child(note, "note-attributes", "source-url"));
}

function authorOf(note: XmlElement): string {
  return lineOf(child(note, "note-attributes", "author"));
}

function describe(note: XmlElement): Described {
  return described([
    ["title", lineOf(child(note, "title"))],
    ["author", authorOf(note)],
    ["tags", tagsOf(note)],
    ["created", lineOf(child(note, "created"))],
    ["modified", lineOf(child(note, "updated"))],
    ["source", sourceOf(note)],
  ]);
}
