import { Buffer } from "node:buffer";
import { utils, write } from "@e965/xlsx";
import { makeChm } from "../documents/chm/make_chm.ts";
import { compound, makeDoc } from "../documents/doc/make_doc.ts";
import { makeIwork } from "../documents/iwork/make_iwork.ts";
import { makeMobi } from "../documents/mobi/make_mobi.ts";
import { makePdf } from "../documents/pdf/make_pdf.ts";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { ofdOf, ofdPage, ofdText, seal } from "../documents/ofd/ofd_of.ts";
import { presentation } from "../documents/ppt/make_ppt.ts";
import { databaseOf } from "../documents/sqlite/database_of.ts";
import { data, xlsxOf } from "../documents/xlsx/xlsx_of.ts";
import { zipOf } from "../documents/zip_of.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const XHTML = "http://www.w3.org/1999/xhtml";
const OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns";

/** Returns an Outlook message with this text. */
function outlook(text: string): Uint8Array<ArrayBuffer> {
  return compound({
    "__properties_version1.0": new Uint8Array(32),
    "__substg1.0_1000001F": Buffer.from(text, "utf16le"),
  });
}

/** Returns a document of Works 4 with this text. */
function works(text: string): Uint8Array<ArrayBuffer> {
  const stream = new Uint8Array(0x100 + text.length);
  const view = new DataView(stream.buffer);
  view.setUint32(0x22, 0x100, true);
  view.setUint32(0x26, stream.length, true);
  stream.set(utf8(text), 0x100);
  return compound({ MN0: stream });
}

/** Returns a workbook of Excel with these rows. */
function excel(rows: string[][], bookType: "biff8" | "xlsb"): Uint8Array<ArrayBuffer> {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), "Tea");
  return new Uint8Array(write(book, { type: "array", bookType }));
}

/** A drawing of draw.io. */
const GRAPH = "<mxGraphModel><root><mxCell value='green tea'/></root></mxGraphModel>";

/** Small documents that contain "green tea", by the loader that reads them. */
export const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, Uint8Array<ArrayBuffer>>>>> = {
  chm: { "a.chm": makeChm({ title: "Tea", files: { "/a.htm": "<h1>Tea</h1><p>green tea</p>" } }) },
  code: Object.fromEntries(
    Object.entries({
      "a.sh": 'brew() {\n  echo "green tea"\n}\n',
      "a.c": "// green tea\nint brew(void) {\n  return 80;\n}\n",
      "a.cpp": "// green tea\nclass Tea {\n  int brew() { return 80; }\n};\n",
      "a.cs": "// green tea\nclass Tea {\n  int Brew() { return 80; }\n}\n",
      "a.go": "package tea\n\n// green tea\nfunc Brew() int {\n\treturn 80\n}\n",
      "a.java": "// green tea\nclass Tea {\n  int brew() { return 80; }\n}\n",
      "a.js": "// green tea\nfunction brew() {\n  return 80;\n}\n",
      "a.php": "<?php\n// green tea\nfunction brew() {\n  return 80;\n}\n",
      "a.ps1": "# green tea\nfunction Brew {\n  return 80\n}\n",
      "a.py": "# green tea\ndef brew():\n    return 80\n",
      "a.rb": "# green tea\ndef brew\n  80\nend\n",
      "a.rs": "// green tea\nfn brew() -> i32 {\n    80\n}\n",
      "a.ts": "// green tea\nfunction brew(): number {\n  return 80;\n}\n",
      "a.tsx": "// green tea\nfunction Brew() {\n  return <b>80</b>;\n}\n",
    }).map(([name, text]) => [name, utf8(text)]),
  ),
  archive: { "a.zip": zipOf({ "green tea.png": "x" }) },
  csv: { "a.csv": utf8("tea,degrees\ngreen tea,80\nblack tea,95\n") },
  bibliography: { "a.bib": utf8("@book{tea, title = {Green Tea}, note = {green tea}}\n") },
  calendar: {
    "a.ics": utf8(
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:green tea\r\nDTSTART;TZID=A:20240520T100000\r\nDESCRIPTION:<b>a</b>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    ),
  },
  contacts: { "a.vcf": utf8("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Li Na\r\nNOTE:green tea\r\nEND:VCARD\r\n") },
  diagram: {
    "a.drawio": utf8(
      `<mxfile><diagram name="Tea"><mxGraphModel><root><mxCell id="1" value="green tea" vertex="1"/></root></mxGraphModel></diagram></mxfile>`,
    ),
    "a.canvas": utf8(`{"nodes":[{"id":"1","type":"text","text":"# Tea\\ngreen tea"}],"edges":[]}`),
    "a.drawio.svg": utf8(`<svg content="${GRAPH.replaceAll("<", "&lt;")}"/>`),
    "a.drawio.png": Uint8Array.from(
      `\x89PNG\r\n\x1a\n\0\0\0${String.fromCharCode(7 + GRAPH.length)}tEXtmxfile\0${GRAPH}\0\0\0\0`,
      (char) => char.charCodeAt(0),
    ),
    "a.excalidraw": utf8(`{"type":"excalidraw","elements":[{"id":"1","type":"text","text":"green tea"}]}`),
  },
  doc: {
    "a.wps": makeDoc({ paragraphs: [{ text: "green tea\r" }] }),
    "a.doc": makeDoc({ paragraphs: [{ text: "green tea\r" }] }),
  },
  docbook: {
    "a.docbook": utf8(
      `<?xml version="1.0"?>\n<article><title>Tea</title><section><title>Brewing</title><para>green tea</para></section></article>`,
    ),
  },
  docx: {
    "a.docx": officeFile("word/document.xml", {
      "word/document.xml":
        `<w:document ${NAMESPACES}><w:body><w:p><w:r><w:t>green tea</w:t></w:r></w:p></w:body></w:document>`,
    }),
  },
  epub: {
    "a.epub": zipOf({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`,
      "a.opf":
        `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
      "c.xhtml":
        `<html xmlns="${XHTML}"><head><title>x</title></head><body><h1>Tea</h1><p>green tea</p></body></html>`,
    }),
  },
  evernote: {
    "a.enex": utf8(
      `<en-export><note><title>Tea</title><content><![CDATA[<en-note><div>green tea</div></en-note>]]></content></note></en-export>`,
    ),
  },
  html: { "a.html": utf8("<!DOCTYPE html><title>Tea</title><h1>Tea</h1><p>green tea</p>") },
  iwork: {
    "a.key": makeIwork([
      [1, 1, { 2: { 1: 2 } }],
      [2, 2, { 3: { 2: { 1: 3 } } }],
      [3, 4, { 2: { 1: 4 } }],
      [4, 5, { 5: { 1: 5 } }],
      [5, 7, { 1: { 1: { 1: {} }, 4: { 1: 6 } } }],
      [6, 2001, { 3: "green tea" }],
    ]),
    "a.pages": zipOf({
      "index.xml":
        `<sl:document xmlns:sl="http://developer.apple.com/namespaces/sl" xmlns:sf="http://developer.apple.com/namespaces/sf"><sf:text-storage><sf:text-body><sf:p>green tea</sf:p></sf:text-body></sf:text-storage></sl:document>`,
    }),
  },
  jats: {
    "a.nxml": utf8(
      `<?xml version="1.0"?>\n<article><front><article-meta><title-group><article-title>Tea</article-title></title-group></article-meta></front><body><sec><title>Brewing</title><p>green tea</p></sec></body></article>`,
    ),
  },
  mail: {
    "a.eml": utf8("From: li@x.example\r\nSubject: Tea\r\nContent-Type: text/plain\r\n\r\ngreen tea\r\n"),
  },
  mhtml: {
    "a.mhtml": utf8(
      "Subject: Tea\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>green tea</p>\r\n--x--\r\n",
    ),
  },
  mobi: {
    "a.mobi": makeMobi({ text: ["<p>green tea"] }),
    "a.azw3": makeMobi({ version: 8, text: ["<p>green tea"] }),
  },
  mindmap: {
    "a.xmind": zipOf({
      "content.json": JSON.stringify([{
        title: "Tea",
        rootTopic: { title: "Tea", children: { attached: [{ title: "green tea" }] } },
      }]),
    }),
  },
  msg: { "a.msg": outlook("green tea") },
  notebook: {
    "a.ipynb": utf8(JSON.stringify({
      nbformat: 4,
      metadata: {},
      cells: [{ "cell_type": "markdown", metadata: {}, source: ["# Tea\n", "green tea"] }],
    })),
  },
  odf: {
    "a.odt": zipOf({
      mimetype: "application/vnd.oasis.opendocument.text",
      "content.xml":
        `<office:document-content xmlns:office="${OPEN_DOCUMENT}:office:1.0" xmlns:text="${OPEN_DOCUMENT}:text:1.0"><office:body><office:text><text:p>green tea</text:p></office:text></office:body></office:document-content>`,
    }),
  },
  ofd: {
    "a.ofd": ofdOf({ "Page_0/Content.xml": ofdPage(ofdText("green tea", 20, 30)) }),
    "sealed.ofd": ofdOf({ "P.xml": ofdPage(ofdText("green tea", 20, 30)) }, {
      signatures: "S.xml",
      more: {
        "S.xml":
          `<ofd:Signatures xmlns:ofd="http://www.ofdspec.org/2016"><ofd:Signature BaseLoc="1.xml"/></ofd:Signatures>`,
        "1.xml":
          `<ofd:Signature xmlns:ofd="http://www.ofdspec.org/2016"><ofd:SignedInfo><ofd:Seal><ofd:BaseLoc>1.esl</ofd:BaseLoc></ofd:Seal><ofd:StampAnnot PageRef="1"/></ofd:SignedInfo></ofd:Signature>`,
        "1.esl": seal("Tea"),
      },
    }),
  },
  outline: {
    "a.mm": utf8(`<map version="1.0"><node TEXT="Tea"><node TEXT="green tea"/></node></map>`),
    "a.opml": utf8(`<opml><head><title>Tea</title></head><body><outline text="green tea"/></body></opml>`),
  },
  pdf: { "a.pdf": makePdf({ pages: ["BT /F1 12 Tf 72 700 Td (green tea) Tj ET"] }) },
  ppt: { "a.ppt": presentation({ last: "green tea" }) },
  pptx: {
    "a.pptx": officeFile("ppt/presentation.xml", {
      "ppt/presentation.xml":
        `<p:presentation ${NAMESPACES}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": relations(["rId1", "slide", "slides/slide1.xml"]),
      "ppt/slides/slide1.xml":
        `<p:sld ${NAMESPACES}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>green tea</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    }),
  },
  rtf: { "a.rtf": utf8("{\\rtf1\\ansi green tea\\par}") },
  sqlite: {
    "a.sqlite": databaseOf(
      "CREATE TABLE tea(name TEXT, degrees INT)",
      "INSERT INTO tea VALUES('green tea', 80)",
    ),
  },
  subtitles: { "a.srt": utf8("1\n00:00:01,000 --> 00:00:02,000\ngreen tea\n") },
  chat: {
    "result.json": utf8(
      `{"name":"Tea","type":"personal_chat","messages":[{"date":"2024-05-01T10:00:00","from":"Li","text":"green tea"}]}`,
    ),
    "slack.json": utf8(
      `[{"type":"message","ts":"1714557600.000100","user":"U1","text":"<@U1> <https://a|green tea>"}]`,
    ),
    "conversations.json": utf8(
      `[{"title":"Tea","mapping":{"a":{"parent":"b","message":{"author":{"role":"user"},"create_time":1,"content":{"parts":["green tea"]}}}}}]`,
    ),
  },
  visio: {
    "a.vsdx": officeFile("visio/document.xml", {
      "visio/document.xml": "<VisioDocument/>",
      "visio/pages/pages.xml":
        `<Pages><Page ID="0" Name="Tea"><Rel r:id="rId1" ${NAMESPACES}/></Page></Pages>`,
      "visio/pages/_rels/pages.xml.rels": relations(["rId1", "page", "page1.xml"]),
      "visio/pages/page1.xml":
        `<PageContents><Shapes><Shape ID="1"><Text>green tea</Text></Shape></Shapes></PageContents>`,
    }),
  },
  works: { "b.wps": works("green tea") },
  xls: { "a.xls": excel([["tea", "degrees"], ["green tea", "80"]], "biff8") },
  xlsb: { "a.xlsb": excel([["tea", "degrees"], ["green tea", "80"]], "xlsb") },
  xlsx: { "a.xlsx": xlsxOf({ Tea: data(["tea", "degrees"], ["green tea", "80"]) }) },
};
