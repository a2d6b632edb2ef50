import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { zipSync } from "fflate";
import { FORMATS } from "#documents/formats.ts";
import { formatOf, typeByName } from "#documents/mod.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);
const zip = (...names: string[]) =>
  zipSync(Object.fromEntries(names.map((name) => [name, bytes("x")])), { level: 0 });

/** Returns a compound file whose directory lists a stream of this name. */
function compound(stream: string): Uint8Array {
  const file = new Uint8Array(2048);
  file.set(bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"));
  for (const [i, char] of [...stream].entries()) file[1024 + 2 * i] = char.charCodeAt(0);
  return file;
}

Deno.test("formatOf() goes by the content, whatever the name", () => {
  const table: [content: Uint8Array, format: string | undefined][] = [
    [bytes("%PDF-1.7\n"), "pdf"],
    [bytes(`${"\0".repeat(1000)}%PDF-1.4`), "pdf"],
    [bytes("HTTP/1.1 200 OK\r\n\r\n%PDF-1.4 … %%EOF\n"), "pdf"],
    [bytes("A PDF begins with %PDF-1.4.\n"), undefined],
    [zip("[Content_Types].xml", "word/document.xml"), "docx"],
    [zip("[Content_Types].xml", "ppt/presentation.xml"), "pptx"],
    [zip("[Content_Types].xml", "xl/workbook.xml"), "xlsx"],
    [zip("[Content_Types].xml", "xl/workbook.bin"), "xlsb"],
    [zip("[Content_Types].xml", "visio/document.xml"), "visio"],
    [zip("META-INF/container.xml", "a.xhtml"), "epub"],
    [zip("Doc_0/Document.xml", "OFD.xml"), "ofd"],
    [bytes(`${"tea".padEnd(60, "\0")}BOOKMOBI`), "mobi"],
    [bytes("ITSF\x03\0\0\0"), "chm"],
    [bytes("SQLite format 3\0"), "sqlite"],
    [zip("Index/Document.iwa"), "iwork"],
    [zip("Index.zip", "Metadata/BuildVersionHistory.plist"), "iwork"],
    [zip("Tea.pages/Index.zip"), "iwork"],
    [zip("Index.zip", "notes.txt"), undefined],
    [compound("WordDocument"), "doc"],
    [compound("Workbook"), "xls"],
    [compound("CONTENTS"), "works"],
    [compound("__properties_version1.0"), "msg"],
    [bytes("{\\rtf1 x}"), "rtf"],
    [bytes("<!DOCTYPE html><p>x"), "html"],
    [bytes("WEBVTT\n\n00:00.000 --> 00:01.000\nx"), "subtitles"],
    [bytes("From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\nx"), "mail"],
    [bytes('<map version="1.0"><node TEXT="x"/></map>'), "outline"],
    [bytes('<map name="a"><area href="b"></map>'), undefined],
    [bytes('<?xml version="1.0"?><opml version="2.0"><body/></opml>'), "outline"],
    [bytes("<mxfile><diagram/></mxfile>"), "diagram"],
    [bytes('{ "type": "excalidraw", "elements": [] }'), "diagram"],
    [bytes('<?xml version="1.0"?><svg width="1" content="&lt;mxfile>&quot;"/>'), "diagram"],
    [bytes('{"type":"excalidrawlib","library":[]}'), "diagram"],
    [bytes("---\nexcalidraw-plugin: parsed\n---\nx"), "diagram"],
    [bytes("<?xml version='1.0'?><en-export><note/></en-export>"), "evernote"],
    [bytes("BEGIN:VCALENDAR\r\nVERSION:2.0"), "calendar"],
    [bytes('{"name": "a", "type": "personal_chat", "id": 1, "messages": [{}]}'), "chat"],
    [bytes('{"type": "personal_chat"}'), undefined],
    [bytes('[{"type": "message", "text": "x", "ts": "1681413317.397479"}]'), "chat"],
    [bytes('[{"type": "message", "text": "x"}]'), undefined],
    [bytes('{"participants": [], "messages": [{"sender_name": "a"}]}'), "chat"],
    [bytes('{"participants": [], "messages": []}'), undefined],
    [bytes('{"guild": {}, "channel": {}, "messages": []}'), "chat"],
    [bytes('[{"title": "a", "mapping": {"b": {"id": "b", "message": null}}}]'), "chat"],
    [bytes("BEGIN:VCARD\nVERSION:3.0"), "contacts"],
    [bytes("plain words"), undefined],
    [zip("photo.jpg"), undefined],
    [compound("Nothing"), undefined],
    [bytes("PK\x03\x04"), undefined],
    [bytes(""), undefined],
  ];
  for (const [content, format] of table) equal(formatOf(content, "a.txt"), format);
});

Deno.test("formatOf() tells PHP programs from pages saved under the name of a program", () => {
  equal(formatOf(bytes("<!DOCTYPE html>\n<?php include 'head.php' ?>\n<p>x"), "index.php"), undefined);
  equal(formatOf(bytes("<!DOCTYPE html>\n<p>Answers"), "topic.php"), "html");
});

Deno.test("formatOf() goes by the extension if the content has no signature", () => {
  const table: Record<string, string | undefined> = {
    "a.HTML": "html",
    "docs.pdf/b.csv": "csv",
    "C:\\x.pdf\\a.ipynb": "notebook",
    "a.eml": "mail",
    "a.srt": "subtitles",
    "a.docx": "docx",
    "a.md": undefined,
    "pdf": undefined,
  };
  for (const [path, format] of Object.entries(table)) equal(formatOf(bytes("words"), path), format, path);
});

Deno.test("the scan of a folder passes on the files of every format", () => {
  for (const extension of FORMATS.flatMap(({ extensions }) => extensions)) {
    notEqual(
      typeByName(`a.${extension}`),
      "binary",
      `.${extension} is in a list of lib/documents/classify.ts`,
    );
  }
});

/** Formats that share the folder of another. */
const FOLDERS: Readonly<Record<string, string>> = {
  contacts: "calendar",
  msg: "mail",
  mindmap: "mind_map",
  outline: "mind_map",
  visio: "diagram",
};

Deno.test("every loader has a folder of tests and exports its loader", async () => {
  for (const { name, load } of FORMATS) {
    equal(typeof (await load()).loader.load, "function", name);
    const folder = FOLDERS[name] ?? name;
    const files = [...Deno.readDirSync(new URL(folder, import.meta.url))].map(({ name }) => name);
    ok(files.some((file) => file.endsWith("_test.ts")), `no test in tests/documents/${folder}/`);
  }
});

const HOUSE = new URL("../../lib/documents/", import.meta.url);

/** Folders that the formats share. */
const SHARED = ["html", "office", "pdf", "pdfium", "pictures", "recognition", "text"];

Deno.test("a format imports no other format: what several need stands in the house or in a shared folder", () => {
  /** The folder of a format, or its file; `undefined` for what all share. */
  const formatAt = (path: string) => {
    const [folder, ...rest] = path.split("/");
    return rest.length === 0 || SHARED.includes(folder!) ? undefined : folder === "formats" ? path : folder;
  };
  const found: string[] = [];
  for (const name of readdirSync(HOUSE, { recursive: true, encoding: "utf8" })) {
    const path = name.replaceAll("\\", "/");
    if (!path.includes("/") || !path.endsWith(".ts")) continue;
    for (const [, specifier] of readFileSync(new URL(path, HOUSE), "utf8").matchAll(/"(\.[^"\n]+\.ts)"/g)) {
      const to = posix.join(posix.dirname(path), specifier!);
      if (formatAt(to) !== undefined && formatAt(to) !== formatAt(path)) {
        found.push(`${path} imports ${to}`);
      }
    }
  }
  deepEqual(found, []);
});
