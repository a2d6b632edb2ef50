import assert from "node:assert/strict";
import { utils, write } from "@e965/xlsx";
import { loaderOf, type Metadata } from "#documents/mod.ts";
import { makePdf } from "./pdf/make_pdf.ts";
import { officeFile } from "./ooxml.ts";
import { zipOf } from "./zip_of.ts";

/** Returns title and metadata of a file as a loader reads it. */
async function about(format: string, content: string | Uint8Array<ArrayBuffer>) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { title, metadata } = await (await loaderOf(format))!.load(bytes, { path: "a" });
  return { title, ...metadata };
}

/** The fields of {@linkcode ABOUT} in the normal form, and others in `extra`. */
const known = (extra?: Metadata["extra"], more: Metadata = {}) => ({
  title: "Keys",
  authors: ["Li Na", "Bob"],
  tags: ["ops", "key rotation"],
  created: "2024-05-01T10:00:00Z",
  modified: "2024-06-01T10:00:00Z",
  description: "How to rotate",
  ...more,
  ...(extra === undefined ? {} : { extra }),
});

const DC = `xmlns:dc="http://purl.org/dc/elements/1.1/"`;
const CORE =
  `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ${DC} xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Keys</dc:title><dc:creator>Li Na; Bob</dc:creator><cp:keywords>ops, key rotation</cp:keywords><dc:description>How to rotate</dc:description><dc:subject>Safety</dc:subject><cp:category>Manual</cp:category><cp:contentStatus>final</cp:contentStatus><dcterms:created>2024-05-01T10:00:00Z</dcterms:created><dcterms:modified>2024-06-01T10:00:00Z</dcterms:modified></cp:coreProperties>`;
const APP =
  `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>7</Pages><Company>Acme</Company><Manager>Eve</Manager></Properties>`;
const VT = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes";
const CUSTOM =
  `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="${VT}">
  <property name="project"><vt:lpwstr>apollo</vt:lpwstr></property><property name="version"><vt:i4>3</vt:i4></property><property name="checked"><vt:bool>true</vt:bool></property>
  <property name="密级"><vt:lpwstr>内部</vt:lpwstr></property><property name="_NewReviewCycle"><vt:lpwstr/></property><property name="KSOProductBuildVer"><vt:lpwstr>1</vt:lpwstr></property></Properties>`;

Deno.test("Office files: core, application and custom properties", async () => {
  const parts = {
    "word/document.xml":
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>`,
    "docProps/core.xml": CORE,
    "docProps/app.xml": APP,
  };
  const others = { subject: "Safety", category: "Manual", manager: "Eve", company: "Acme" };
  const custom = { ...others, project: "apollo", version: 3, checked: true };
  const file = (more: Record<string, string>) => officeFile("word/document.xml", { ...parts, ...more });
  assert.deepEqual(
    await about("docx", file({ "docProps/custom.xml": CUSTOM })),
    known(custom, { status: "final", accessLevel: "内部" }),
  );
  const label =
    `<Properties xmlns:vt="${VT}"><property name="MSIP_Label_0a1b-2c_Enabled"><vt:lpwstr>true</vt:lpwstr></property><property name="MSIP_Label_0a1b-2c_Name"><vt:lpwstr>Confidential</vt:lpwstr></property></Properties>`;
  assert.deepEqual(
    await about("docx", file({ "docProps/custom.xml": label })),
    known(others, { status: "final", accessLevel: "Confidential" }),
  );
});

Deno.test("OpenDocument: Dublin Core, keywords and fields of the user in their types", async () => {
  const meta =
    `<office:meta><dc:title>Keys</dc:title><meta:initial-creator>Li Na; Bob</meta:initial-creator><dc:creator>Eve</dc:creator><meta:keyword>ops</meta:keyword><meta:keyword>key rotation</meta:keyword><meta:creation-date>2024-05-01T10:00:00Z</meta:creation-date><dc:date>2024-06-01T10:00:00.123456789Z</dc:date><dc:description>How to rotate</dc:description>
    <meta:user-defined meta:name="project">apollo</meta:user-defined><meta:user-defined meta:name="version" meta:value-type="float">3</meta:user-defined><meta:user-defined meta:name="checked" meta:value-type="boolean">true</meta:user-defined><meta:user-defined meta:name="Info 1"/></office:meta>`;
  const namespaces = ["office", "text", "meta", "table"].map((name) =>
    `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
  ).join(" ");
  const expected = known({ project: "apollo", version: 3, checked: true });
  for (
    const [kind, body] of [["text", "<text:p>x</text:p>"], [
      "spreadsheet",
      "<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>",
    ]]
  ) {
    const flat =
      `<office:document ${namespaces} ${DC} office:mimetype="application/vnd.oasis.opendocument.${kind}">${meta}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;
    assert.deepEqual(await about("odf", flat), expected, kind);
  }
});

Deno.test("binary Office files: the summary, that of the document, and fields of the user", async () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([["x"]]), "Data");
  book.Props = {
    Title: "Keys",
    Author: "Li Na; Bob",
    Keywords: "ops, key rotation",
    Comments: "How to rotate",
    Category: "Manual",
    Company: "Acme",
    CreatedDate: new Date("2024-05-01T10:00:00Z"),
    ModifiedDate: new Date("2024-06-01T10:00:00Z"),
  };
  book.Custprops = { project: "apollo", version: 3, checked: true };
  const bytes = new Uint8Array(write(book, { type: "array", bookType: "biff8" }));
  assert.deepEqual(
    await about("xls", bytes),
    known({ category: "Manual", company: "Acme", project: "apollo", version: 3, checked: true }),
  );
  for (let at = 0; at < bytes.length; at += 97) {
    const broken = bytes.slice();
    broken[at]! ^= 0xff;
    await about("xls", broken).catch((error) => assert.equal(error.name, "DocumentError"));
  }
});

Deno.test("RTF: the info group and fields of the user", async () => {
  const time = (word: string, month: number) => `{\\${word}\\yr2024\\mo${month}\\dy1\\hr10\\min0\\sec0}`;
  const rtf = `{\\rtf1\\ansi{\\info{\\title Keys}{\\author Li Na; Bob}{\\keywords ops, key rotation}${
    time("creatim", 5)
  }${
    time("revtim", 6)
  }{\\doccomm How to rotate}{\\subject Safety}{\\*\\company Acme}{\\*\\manager Eve}{\\*\\category Manual}}
{\\*\\userprops {\\propname project}\\proptype30{\\staticval apollo}{\\propname empty}\\proptype30{\\staticval }}Text.\\par}`;
  const { created: _, modified: __, ...fields } = known({
    subject: "Safety",
    category: "Manual",
    manager: "Eve",
    company: "Acme",
    project: "apollo",
  });
  assert.deepEqual(await about("rtf", rtf), {
    ...fields,
    created: "2024-05-01T10:00:00",
    modified: "2024-06-01T10:00:00",
  });
});

const RDF = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`;
const XMP =
  `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}><rdf:Description ${DC} xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" xmp:CreateDate="2024-05-01T10:00:00Z" xmp:CreatorTool="A">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Keys</rdf:li><rdf:li xml:lang="zh">k</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Li Na</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator><dc:subject><rdf:Bag><rdf:li>ops</rdf:li><rdf:li>key rotation</rdf:li></rdf:Bag></dc:subject>
  <dc:description><rdf:Alt><rdf:li xml:lang="x-default">How to rotate</rdf:li></rdf:Alt></dc:description><xmp:ModifyDate>2024-06-01T10:00:00Z</xmp:ModifyDate><dc:format>application/pdf</dc:format><prism:doi>10.1/x</prism:doi><pdfx:project>apollo</pdfx:project></rdf:Description></rdf:RDF></x:xmpmeta>`;

Deno.test("PDF: the info dictionary, its custom fields, and XMP", async () => {
  const pages = ["BT /F1 12 Tf 50 700 Td (Text.) Tj ET"];
  const info = {
    Title: "(Keys)",
    Author: "(Li Na, Bob)",
    Keywords: "(ops, key rotation)",
    Subject: "(How to rotate)",
    CreationDate: "(D:20240501100000Z)",
    ModDate: "(D:20240601100000Z)",
    project: "(apollo)",
    "PTEX.Fullbanner": "(TeX)",
  };
  assert.deepEqual(await about("pdf", makePdf({ pages, info })), known({ project: "apollo" }));
  assert.deepEqual(
    await about("pdf", makePdf({ pages, xmp: XMP })),
    known({ doi: "10.1/x", project: "apollo" }),
  );
  assert.deepEqual(
    await about("pdf", makePdf({ pages, info: { Author: "(Li Na and Bob)", Title: "(Locks)" }, xmp: XMP })),
    known({ doi: "10.1/x", project: "apollo" }, { title: "Locks" } as Metadata),
  );
  for (const xmp of ["<broken", "<a>".repeat(200_000), XMP.replaceAll("rdf:li", "rdf:xx")]) {
    assert.deepEqual((await about("pdf", makePdf({ pages, info, xmp }))).authors, ["Li Na", "Bob"]);
  }
});

Deno.test("EPUB: Dublin Core with roles and events, properties of EPUB 3", async () => {
  const opf = (fields: string, namespace = "") =>
    zipOf({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`,
      "a.opf":
        `<package xmlns="http://www.idpf.org/2007/opf" ${namespace}><metadata ${DC}>${fields}</metadata>
        <manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
      "a.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>`,
    });
  const common =
    `<dc:title>Keys</dc:title><dc:subject>ops</dc:subject><dc:subject>key rotation</dc:subject><dc:description>&lt;p&gt;How to rotate&lt;/p&gt;</dc:description><dc:publisher>Acme</dc:publisher><dc:language>en</dc:language>`;
  const third = opf(
    `${common}<dc:creator id="a">Li Na</dc:creator><dc:creator id="b">Bob</dc:creator><dc:creator id="c">Eve</dc:creator><meta refines="#c" property="role">ill</meta><dc:date>2024-07-01</dc:date><meta property="dcterms:created">2024-05-01T10:00:00Z</meta><meta property="dcterms:modified">2024-06-01T10:00:00Z</meta><dc:identifier>urn:isbn:9783161484100</dc:identifier><meta property="belongs-to-collection">Handbooks</meta><dc:source>https://a.example/keys</dc:source>`,
  );
  const second = opf(
    `${common}<dc:creator opf:role="aut">Li Na</dc:creator><dc:creator opf:role="aut">Bob</dc:creator><dc:creator opf:role="ill">Eve</dc:creator><dc:date opf:event="creation">2024-05-01T10:00:00Z</dc:date><dc:date opf:event="modification">2024-06-01T10:00:00Z</dc:date><dc:date opf:event="publication">2024-07-01</dc:date><dc:identifier opf:scheme="ISBN">9783161484100</dc:identifier><meta name="calibre:series" content="Handbooks"/><dc:source>https://a.example/keys</dc:source>`,
    `xmlns:opf="http://www.idpf.org/2007/opf"`,
  );
  const expected = known({ publisher: "Acme", isbn: "9783161484100", series: "Handbooks" }, {
    published: "2024-07-01",
    language: "en",
    sourceUrl: "https://a.example/keys",
  });
  assert.deepEqual(await about("epub", third), expected);
  assert.deepEqual(await about("epub", second), expected);
});

Deno.test("HTML: meta elements, Open Graph, Dublin Core, JSON-LD and the canonical address", async () => {
  const page = (head: string) =>
    `<html lang="en"><head><title>Keys</title>${head}</head><body><p>Text.</p></body></html>`;
  const meta = (name: string, content: string) =>
    `<meta ${name.includes(":") ? "property" : "name"}="${name}" content="${content}">`;
  const source = { sourceUrl: "https://a.example/keys", language: "en" };
  const { created: _, ...fields } = known(undefined, { ...source, published: "2024-05-01T10:00:00+08:00" });
  const graph = {
    "@context": "https://schema.org",
    "@graph": [
      { "@type": "WebSite", name: "Acme", description: "no" },
      { "@type": "Person", "@id": "#bob", name: "Bob" },
      {
        "@type": "BlogPosting",
        headline: "Keys",
        author: [{ "@type": "Person", name: "Li Na" }, { "@id": "#bob" }],
        keywords: "ops, key rotation",
        datePublished: "2024-05-01T10:00:00+08:00",
        dateModified: "2024-06-01T10:00:00Z",
        description: "How to rotate",
        publisher: { "@type": "Organization", name: "Acme" },
      },
    ],
  };
  const heads: [string, Metadata["extra"]][] = [
    [
      meta("author", "Li Na, Bob") + meta("keywords", "ops, key rotation") +
      meta("description", "How to rotate") +
      meta("article:published_time", "2024-05-01T10:00:00+08:00") +
      meta("article:modified_time", "2024-06-01T10:00:00Z") + meta("article:section", "Safety") +
      meta("viewport", "width=1") + `<link rel="canonical" href="https://a.example/keys">`,
      { section: "Safety" },
    ],
    [
      meta("dc.creator", "Li Na") + meta("dc.creator", "Bob") + meta("dc.subject", "ops") +
      meta("dc.subject", "key rotation") + meta("dc.description", "How to rotate") +
      meta("dcterms.issued", "2024-05-01T10:00:00+08:00") + meta("dcterms.modified", "2024-06-01T10:00:00Z") +
      meta("og:url", "https://a.example/keys") + meta("og:site_name", "Acme"),
      { site: "Acme" },
    ],
    [
      `<script type="application/ld+json">${
        JSON.stringify(graph)
      }</script><link rel="canonical" href="https://a.example/keys">` +
      meta("author", "https://a.example/bob"),
      { publisher: "Acme" },
    ],
  ];
  for (const [head, extra] of heads) {
    assert.deepEqual(await about("html", page(head)), { ...fields, extra }, head);
  }
});

Deno.test("e-mail: people, the date with its zone, identifiers and the mailing list", async () => {
  const message = [
    "From: Li Na <li@a.example>",
    'To: "Smith, Bob" <bob@a.example>, eve@a.example',
    "Cc: Han <han@a.example>",
    "Subject: Keys",
    "Date: Wed, 1 May 2024 10:00:00 +0800",
    "Message-ID: <1@a.example>",
    "In-Reply-To: <0@a.example>",
    "List-Id: Operations <ops.a.example>",
    "Keywords: ops, key rotation",
    "",
    "Text.",
  ].join("\r\n");
  assert.deepEqual(await about("mail", message), {
    title: "Keys",
    authors: ["Li Na"],
    tags: ["ops", "key rotation"],
    created: "2024-05-01T10:00:00+08:00",
    extra: {
      from: "li@a.example",
      to: ["Smith, Bob <bob@a.example>", "eve@a.example"],
      cc: ["Han <han@a.example>"],
      "message_id": "1@a.example",
      "in_reply_to": "0@a.example",
      "list_id": "Operations <ops.a.example>",
    },
  });
});

Deno.test("notebooks: authors, dates, tags and the kernel", async () => {
  const notebook = {
    cells: [],
    metadata: {
      title: "Keys",
      authors: [{ name: "Li Na" }, { name: "Bob" }],
      tags: ["ops", "key rotation"],
      created: "2024-05-01T10:00:00Z",
      modified: "2024-06-01T10:00:00Z",
      description: "How to rotate",
      kernelspec: { name: "python3", display_name: "Python 3" },
      language_info: { name: "python", version: "3.12" },
      widgets: { state: {} },
    },
  };
  assert.deepEqual(await about("notebook", JSON.stringify(notebook)), known({ kernel: "Python 3" }));
});

Deno.test("JATS: keywords, abstract, revision, journal and identifier", async () => {
  const xml =
    `<article xml:lang="en" article-type="research-article"><front><journal-meta><journal-title-group><journal-title>J. Keys</journal-title></journal-title-group><publisher><publisher-name>Acme</publisher-name></publisher></journal-meta><article-meta><article-id pub-id-type="doi">10.1/x</article-id><title-group><article-title>Keys</article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Na</surname><given-names>Li</given-names></name></contrib></contrib-group><pub-date pub-type="epub"><day>1</day><month>5</month><year>2024</year></pub-date><volume>7</volume><history><date date-type="rev-recd"><day>1</day><month>4</month><year>2024</year></date></history><abstract><p>How to rotate</p></abstract><kwd-group><kwd>ops</kwd><kwd>key rotation</kwd></kwd-group></article-meta></front><body><p>x</p></body></article>`;
  assert.deepEqual(await about("jats", xml), {
    title: "Keys",
    authors: ["Li Na"],
    tags: ["ops", "key rotation"],
    published: "2024-05-01",
    modified: "2024-04-01",
    language: "en",
    description: "How to rotate",
    extra: { doi: "10.1/x", journal: "J. Keys", volume: "7", publisher: "Acme", type: "research-article" },
  });
});

Deno.test("DocBook: keywords, abstract, revision, status and who may see it", async () => {
  const xml =
    `<article xmlns="http://docbook.org/ns/docbook" xml:lang="en" status="final" security="internal"><info><title>Keys</title><author><personname><firstname>Li</firstname><surname>Na</surname></personname></author><pubdate>1 May 2024</pubdate><revhistory><revision><revnumber>2</revnumber><date>2024-06-01</date></revision></revhistory><abstract><para>How to rotate</para></abstract><keywordset><keyword>ops</keyword><keyword>key rotation</keyword></keywordset><edition>2</edition></info><para>x</para></article>`;
  assert.deepEqual(await about("docbook", xml), {
    title: "Keys",
    authors: ["Li Na"],
    tags: ["ops", "key rotation"],
    published: "2024-05-01",
    modified: "2024-06-01",
    language: "en",
    accessLevel: "internal",
    status: "final",
    description: "How to rotate",
    extra: { edition: "2" },
  });
});
