import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { decode, encode } from "fast-png";
import jpeg from "jpeg-js";
import {
  type DocumentError,
  type ListedPicture,
  type PicturesRead,
  readDocument,
  readPictures,
} from "#documents/mod.ts";
import { openWithPdfium } from "#documents/pdfium/pdfium.ts";
import { NAMESPACES, officeFile, relations } from "../ooxml.ts";
import { makePdf } from "../pdf/make_pdf.ts";
import { scanPdf } from "../recognition/_scan_pdf.ts";
import { zipOf } from "../zip_of.ts";
import { makePng } from "./make_png.ts";
import { bmp, gif, shadeAt, tiff, webp } from "./make_pictures.ts";

const PNG = makePng(40, 30);
const BASE64 = PNG.toBase64();
const utf8 = (text: string) => new TextEncoder().encode(text);

/** The pictures in a document, without their hashes. */
async function listed(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<object[]> {
  const bytes = typeof content === "string" ? utf8(content) : content;
  const { answer } = await readPictures(bytes, { path }, { want: "list" });
  return answer.pictures.map(({ sha256: _, size: __, ...rest }) => rest);
}

/** The facts about {@linkcode PNG} as the only picture of a document. */
const only = (more: Partial<ListedPicture>) => [
  { number: 1, line: 1, section: [], width: 40, height: 30, mediaType: "image/png", ...more },
];

Deno.test("pictures of a presentation have their slide and place in points", async () => {
  const slide = `<p:sld ${NAMESPACES}><p:cSld><p:spTree>
    <p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Tea</a:t></a:r></a:p></p:txBody></p:sp>
    <p:pic><p:nvPicPr><p:cNvPr descr="A cup"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId1"/></p:blipFill>
    <p:spPr><a:xfrm><a:off x="127000" y="254000"/><a:ext cx="1270000" cy="635000"/></a:xfrm></p:spPr></p:pic>
  </p:spTree></p:cSld></p:sld>`;
  const box = { left: 10, top: 20, width: 100, height: 50 };
  deepEqual(
    await listed("a.pptx", presentation(slide)),
    only({ page: 1, line: 3, section: ["Tea"], box, share: 0.013, alt: "A cup" }),
  );
});

Deno.test("of a long alternative text, the beginning is shown", async () => {
  const slide = `<p:sld ${NAMESPACES}><p:cSld><p:spTree><p:pic><p:nvPicPr><p:cNvPr descr="${
    "cup😀".repeat(9000)
  }"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId1"/></p:blipFill></p:pic></p:spTree></p:cSld></p:sld>`;
  const [picture] = await listed("a.pptx", presentation(slide));
  equal((picture as ListedPicture).alt, `${"cup😀".repeat(200)}…`);
});

/** Returns a presentation with one slide, which has {@linkcode PNG} as `rId1`. */
function presentation(slide: string): Uint8Array<ArrayBuffer> {
  return officeFile("ppt/presentation.xml", {
    "ppt/presentation.xml":
      `<p:presentation ${NAMESPACES}><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(["rId1", "slide", "slides/slide1.xml"]),
    "ppt/slides/slide1.xml": slide,
    "ppt/slides/_rels/slide1.xml.rels": relations(["rId1", "image", "../media/cup.png"]),
    "ppt/media/cup.png": PNG,
  });
}

Deno.test("a slide's pictures are those in groups, placed on the slide, fillings of shapes, and previews of objects", async () => {
  const frame = (name: string, x: number, inner = "") =>
    `<${name}><a:off x="${x}" y="0"/><a:ext cx="127000" cy="127000"/>${inner}</${name}>`;
  const blip = '<a:blip r:embed="rId1"/>';
  const picture = `<p:pic><p:nvPicPr><p:cNvPr descr="In a group"/></p:nvPicPr><p:blipFill>${blip}</p:blipFill>
    <p:spPr>${frame("a:xfrm", 63500)}</p:spPr></p:pic>`;
  const half = '<a:chOff x="63500" y="0"/><a:chExt cx="254000" cy="254000"/>';
  const ole = (content: string) => `<p:oleObj progId="Excel.Sheet.12">${content}</p:oleObj>`;
  const slide = `<p:sld ${NAMESPACES}><p:cSld><p:spTree>
    <p:grpSp><p:grpSpPr>${frame("a:xfrm", 1_270_000, half)}</p:grpSpPr>${picture}</p:grpSp>
    <p:sp><p:nvSpPr><p:cNvPr descr="Filled"/></p:nvSpPr><p:spPr>${frame("a:xfrm", 2_540_000)}
      <a:blipFill>${blip}<a:stretch/></a:blipFill></p:spPr></p:sp>
    <p:graphicFrame><p:nvGraphicFramePr><p:cNvPr descr="A sheet"/></p:nvGraphicFramePr>${
    frame("p:xfrm", 3_810_000)
  }
      <a:graphic><a:graphicData><mc:AlternateContent><mc:Choice Requires="v">${ole("")}</mc:Choice>
      <mc:Fallback>${
    ole(picture)
  }</mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>
  </p:spTree></p:cSld></p:sld>`;
  const { answer } = await readPictures(presentation(slide), { path: "a.pptx" }, { want: "list" });
  deepEqual(answer.pictures.map(({ alt, box, mediaType }) => ({ alt, box, mediaType })), [
    { alt: "In a group", box: { left: 100, top: 0, width: 5, height: 5 }, mediaType: "image/png" },
    { alt: "Filled", box: { left: 200, top: 0, width: 10, height: 10 }, mediaType: "image/png" },
    { alt: "A sheet", box: { left: 300, top: 0, width: 10, height: 10 }, mediaType: "image/png" },
  ]);
});

Deno.test("pictures of a workbook have their sheet and cell", async () => {
  const root = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
  const file = officeFile("xl/workbook.xml", {
    "xl/workbook.xml":
      `<workbook xmlns="${root}" ${NAMESPACES}><sheets><sheet name="Tea" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(["rId1", "worksheet", "worksheets/sheet1.xml"]),
    "xl/worksheets/sheet1.xml":
      `<worksheet xmlns="${root}" ${NAMESPACES}><sheetData/><drawing r:id="rId1"/></worksheet>`,
    "xl/worksheets/_rels/sheet1.xml.rels": relations(["rId1", "drawing", "../drawings/drawing1.xml"]),
    "xl/drawings/drawing1.xml":
      `<xdr:wsDr xmlns:xdr="${drawing}" ${NAMESPACES}><xdr:oneCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>4</xdr:row></xdr:from>
      <xdr:pic><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor></xdr:wsDr>`,
    "xl/drawings/_rels/drawing1.xml.rels": relations(["rId1", "image", "../media/cup.png"]),
    "xl/media/cup.png": PNG,
  });
  deepEqual(await listed("a.xlsx", file), only({ page: 1, section: ["Tea"], cell: "B5" }));
});

Deno.test("pictures in cells of a table are listed after it; one in another file is named", async () => {
  const picture = (attribute: string) =>
    `<w:p><w:r><w:drawing><pic:pic><pic:blipFill><a:blip ${attribute}/></pic:blipFill></pic:pic></w:drawing></w:r></w:p>`;
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const file = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body><w:tbl><w:tr>${
      cell("<w:p><w:r><w:t>Cup</w:t></w:r></w:p>")
    }
      ${cell(picture('r:embed="rId1"'))}</w:tr></w:tbl>${picture('r:link="rId2"')}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(
      ["rId1", "image", "media/cup.png"],
      ["rId2", "image", "https://example.com/far.png"],
    ),
    "word/media/cup.png": PNG,
  });
  deepEqual(await listed("a.docx", file), [
    ...only({ line: 2 }),
    { number: 2, line: 2, section: [], problem: "linked", link: "https://example.com/far.png" },
  ]);
});

Deno.test("pictures in headers and footers of a Word document are listed once, after the others", async () => {
  const picture = (alt: string) =>
    `<w:p><w:r><w:t>Teahouse</w:t><w:drawing><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="" descr="${alt}"/></pic:nvPicPr>
      <pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></w:drawing></w:r></w:p>`;
  const boxed = `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${
    picture("Seal")
  }</w:txbxContent></v:textbox></w:pict></w:r></w:p>`;
  const file = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${picture("A cup")}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(
      ["rId1", "image", "media/cup.png"],
      ["rId2", "header", "header1.xml"],
      ["rId3", "header", "header2.xml"],
      ["rId4", "footer", "footer1.xml"],
      ["rId5", "footer", "lost.xml"],
    ),
    "word/header1.xml": `<w:hdr ${NAMESPACES}>${picture("Logo")}</w:hdr>`,
    "word/_rels/header1.xml.rels": relations(["rId1", "image", "media/logo.png"]),
    "word/header2.xml": `<w:hdr ${NAMESPACES}>${picture("Logo")}</w:hdr>`,
    "word/_rels/header2.xml.rels": relations(["rId1", "image", "media/logo.png"]),
    "word/footer1.xml": `<w:ftr ${NAMESPACES}>${boxed}</w:ftr>`,
    "word/_rels/footer1.xml.rels": relations(["rId1", "image", "media/seal.png"]),
    "word/media/cup.png": PNG,
    "word/media/logo.png": PNG,
    "word/media/seal.png": PNG,
  });
  const pictures = await listed("a.docx", file) as ListedPicture[];
  deepEqual(pictures.map(({ number, alt, problem }) => [number, alt, problem]), [
    [1, "A cup", undefined],
    [2, "Logo", undefined],
    [3, "Seal", undefined],
  ]);
  const { document } = await readDocument(file, { path: "a.docx" });
  equal(document.text, "Teahouse\n\n![A cup]()\n");
});

const ODF = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ' +
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"';

Deno.test("pictures of OpenDocument are found in the archive and in flat files", async () => {
  const text = (image: string) =>
    `<office:body><office:text><text:p>Tea</text:p><text:p><draw:frame><draw:image ${image}</draw:image>
    <svg:desc>A cup</svg:desc></draw:frame></text:p></office:text></office:body>`;
  const zipped = zipOf({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content ${ODF}>${
      text('xlink:href="Pictures/cup.png">')
    }</office:document-content>`,
    "Pictures/cup.png": PNG,
  });
  deepEqual(await listed("a.odt", zipped), only({ line: 3, alt: "A cup" }));
  const flat =
    `<?xml version="1.0"?><office:document ${ODF} office:mimetype="application/vnd.oasis.opendocument.text">${
      text(`><office:binary-data>${BASE64}</office:binary-data>`)
    }</office:document>`;
  deepEqual(await listed("a.fodt", flat), only({ line: 3, alt: "A cup" }));
  const frame = `<draw:frame svg:x="1in" svg:y="2.54cm" svg:width="10pt" svg:height="0.5in">
    <draw:image xlink:href="Pictures/cup.png"/></draw:frame>`;
  const slides = zipOf({
    mimetype: "application/vnd.oasis.opendocument.presentation",
    "content.xml": `<office:document-content ${ODF}><office:body><office:presentation><draw:page>${frame}
      </draw:page></office:presentation></office:body></office:document-content>`,
    "Pictures/cup.png": PNG,
  });
  const box = { left: 72, top: 72, width: 10, height: 36 };
  deepEqual(await listed("a.odp", slides), only({ page: 1, box, share: 0.001 }));
});

Deno.test("pictures of an e-book are found relative to their chapter", async () => {
  const book = zipOf({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="o/a.opf"/></rootfiles></container>`,
    "o/a.opf":
      `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="t/c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    "o/t/c.xhtml":
      `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Tea</h1><figure><img src="../i/cup%201.png"/><figcaption>The cup</figcaption></figure></body></html>`,
    "o/i/cup 1.png": PNG,
  });
  deepEqual(await listed("a.epub", book), only({ page: 1, line: 3, section: ["Tea"], caption: "The cup" }));
});

Deno.test("a picture of a page has the address that a reader sees; what shows none is not listed", async () => {
  const links = async (markup: string) =>
    (await listed("a.html", `<!doctype html><p>Tea</p>${markup}`) as ListedPicture[]).map(({ link }) => link);
  const waiting = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  const markup: [string, ...string[]][] = [
    ['<img src="a.png">', "a.png"],
    ['<img src="a.png" data-src="late.png">', "late.png"],
    ['<img src="a.png" srcset="b.png 2x">', "a.png"],
    ['<img srcset="a.png 400w, b.png 1200w, c.png 800w">', "b.png"],
    ['<img srcset="a.png, b,2.png 2x">', "b,2.png"],
    [`<img src="${waiting}" data-srcset="a.png 1x, b.png 2x">`, "b.png"],
    ['<img src="i/placeholder.svg" srcset="a.png">', "a.png"],
    [`<picture><source srcset="a.webp 1x, b.webp 2x"><img src="${waiting}"></picture>`, "b.webp"],
    ['<picture><source srcset="a.webp"><img src="a.jpg"></picture>', "a.jpg"],
    ['<img alt="A cup">'],
    ['<figure><img alt="A cup"><figcaption>The cup</figcaption></figure>'],
    ['<img src="count.gif" width="1" height="1">'],
    ['<img src="rule.png" width="600" height="1">', "rule.png"],
    ["<svg><path/></svg>"],
  ];
  for (const [source, ...expected] of markup) deepEqual(await links(source), expected, source);
  const { document } = await readDocument(
    utf8('<!doctype html><p>Tea</p><figure><img alt="A cup"><figcaption>The cup</figcaption></figure>'),
    { path: "a.html" },
  );
  equal(document.text, "Tea\n\n![A cup]()\n\nThe cup\n");
});

Deno.test("pictures of a page are its data addresses; files beside it are named", async () => {
  const page =
    `<!doctype html><p>Tea</p><img alt="A cup" src="data:image/png;base64,${BASE64}"><img src="far.png">`;
  deepEqual(await listed("a.html", page), [
    ...only({ line: 3, alt: "A cup" }),
    { number: 2, line: 3, section: [], problem: "linked", link: "far.png" },
  ]);
  deepEqual(await listed("a.md", `Tea\n\n![A cup](data:image/png;base64,${BASE64}) ![[pot.png]]`), [
    ...only({ line: 3, alt: "A cup" }),
    { number: 2, line: 3, section: [], problem: "linked", link: "pot.png" },
  ]);
});

Deno.test("a picture between a text and the next heading belongs to the text", async () => {
  const page =
    `<h1>Tea</h1><p>Green.</p><img src="data:image/png;base64,${BASE64}"><h1>Coffee</h1><p>Black.</p>`;
  deepEqual(await listed("a.html", page), only({ line: 3, section: ["Tea"] }));
});

Deno.test("pictures of mail are those in its text and those attached, each once", async () => {
  const part = (headers: string) =>
    `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${BASE64}\r\n`;
  const mail = "From: a@example.com\r\nSubject: Tea\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" +
    '--b\r\nContent-Type: text/html\r\n\r\n<p>Look</p><img src="cid:cup">\r\n' +
    part("Content-Type: image/png\r\nContent-ID: <cup>") +
    part('Content-Type: image/png; name="pot.png"\r\nContent-Disposition: attachment; filename="pot.png"') +
    "--b--\r\n";
  deepEqual(await listed("a.eml", mail), [
    ...only({ line: 6, section: ["Tea"] }),
    { ...only({ line: 6, section: ["Tea"], alt: "pot.png" })[0], number: 2 },
  ]);
});

Deno.test("pictures of a notebook are its outputs and attachments", async () => {
  const notebook = {
    cells: [
      {
        cell_type: "markdown",
        source: "# Tea\n![A cup](attachment:cup.png)",
        attachments: { "cup.png": { "image/png": BASE64 } },
      },
      {
        cell_type: "code",
        source: "plot()",
        outputs: [{ output_type: "display_data", data: { "image/png": BASE64, "text/plain": "<Figure>" } }],
      },
    ],
    metadata: {},
    nbformat: 4,
  };
  deepEqual(await listed("a.ipynb", JSON.stringify(notebook)), [
    ...only({ page: 1, section: ["Tea"], alt: "A cup" }),
    { ...only({ page: 2, line: 7, section: ["Tea"] })[0], number: 2 },
  ]);
});

const GREY = { width: 40, height: 30, data: new Uint8Array(1200).fill(200) };
const SCAN = {
  dictionary: "/Width 40 /Height 30 /BitsPerComponent 8 /ColorSpace /DeviceGray",
  data: GREY.data,
};

Deno.test("pictures of a PDF have their place on the page as it is shown, and the caption near it", async () => {
  const content = "BT /F1 12 Tf 50 700 Td (A pump moves water.) Tj ET q 80 0 0 60 50 600 cm /I0 Do Q " +
    "BT /F1 12 Tf 50 580 Td (Figure 1: the pump) Tj ET BT /F1 12 Tf 50 200 Td (Another text.) Tj ET";
  const box = { left: 50, top: 140, width: 80, height: 60 };
  const { answer } = await readPictures(
    scanPdf([{ width: 600, height: 800, content }], [SCAN]),
    { path: "a.pdf" },
    { want: "list" },
  );
  const [picture] = answer.pictures;
  equal(answer.pictures.length, 1);
  deepEqual([picture?.page, picture?.box, picture?.width, picture?.height, picture?.caption], [
    1,
    box,
    40,
    30,
    "Figure 1: the pump",
  ]);
  const turned = await readPictures(
    scanPdf([{ width: 600, height: 800, rotate: 90, content }], [SCAN]),
    { path: "a.pdf" },
    { want: "list" },
  );
  deepEqual(turned.answer.pictures[0]?.box, { left: 600, top: 50, width: 60, height: 80 });
});

Deno.test("pictures in a drawing of a PDF and in its stamps are found; hidden stamps are not", async () => {
  const inline = "BI /W 2 /H 1 /BPC 8 /CS /G /F /AHx ID 00ff> EI";
  const seal = `q 20 0 0 10 0 0 cm ${inline} Q`;
  const pdf = makePdf({
    // It is object 7.
    fonts: {
      Seal: `<< /Subtype /Form /BBox [0 0 20 10] /Length ${seal.length} >>\nstream\n${seal}\nendstream`,
    },
    pages: [{
      content: `q 300 0 0 150 0 600 cm ${inline} Q`,
      annotations: [0, 2].map((flags) =>
        `<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [100 200 140 220] /AP << /N 7 0 R >> >>`
      ),
    }],
  });
  const { answer } = await readPictures(pdf, { path: "a.pdf" }, { want: "list" });
  deepEqual(answer.pictures.map(({ width, height, box }) => ({ width, height, box })), [
    { width: 2, height: 1, box: { left: 0, top: 50, width: 300, height: 150 } },
    { width: 2, height: 1, box: { left: 100, top: 580, width: 40, height: 20 } },
  ]);
});

Deno.test("the annotations of a page have a limit of objects together", async () => {
  const seal = "/Empty Do ".repeat(100_000);
  const picture = "q 9 0 0 9 0 0 cm BI /W 2 /H 1 /BPC 8 /CS /G /F /AHx ID 00ff> EI Q";
  const form = (content: string, more = "") =>
    `<< /Subtype /Form /BBox [0 0 9 9] ${more} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const stamp = (object: number) =>
    `<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N ${object} 0 R >> >>`;
  const pdf = await openWithPdfium(makePdf({
    // They are objects 7 to 9.
    fonts: {
      Seal: form(seal, "/Resources << /XObject << /Empty 9 0 R >> >>"),
      Last: form(picture),
      Empty: form("q Q"),
    },
    pages: [[8], [7, 7, 8]].map((stamps) => ({ content: "", annotations: stamps.map(stamp) })),
  }));
  deepEqual([1, 2].map((number) => [...pdf.page(number).pictures()].length), [1, 0]);
});

Deno.test("pictures are left out of a document where that is wanted", async () => {
  const pdf = scanPdf([{ width: 600, height: 800 }], [SCAN]);
  const images = async (ignoreImages: boolean) =>
    (await readDocument(pdf, { path: "a.pdf", ignoreImages })).document.images;
  deepEqual([await images(false), await images(true)], [[{ at: 0, page: 1 }], undefined]);
});

Deno.test("a picture of a PDF is given as PNG, or as the JPEG that it is", async () => {
  const want = { want: "pictures", numbers: [1], side: 100, bytes: 100_000 } as const;
  const plain = await readPictures(scanPdf([{ width: 600, height: 800 }], [SCAN]), { path: "a.pdf" }, want);
  const [png] = plain.contents;
  deepEqual(givenIn(plain), [{ mediaType: "image/png", width: 40, height: 30, size: png!.length }]);
  deepEqual([...new Set(decode(png!).data)], [200]);
  const photo = jpegOf(64, 48);
  const pdf = scanPdf([{ width: 600, height: 800 }], [{
    dictionary: "/Width 64 /Height 48 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode",
    data: photo,
  }]);
  const given = await readPictures(pdf, { path: "a.pdf" }, want);
  deepEqual(givenIn(given), [{ mediaType: "image/jpeg", width: 64, height: 48, size: photo.length }]);
  deepEqual(given.contents, [photo]);
});

/** The facts that are given about each picture. */
const givenIn = ({ answer }: PicturesRead) => answer.pictures.map(({ given }) => given);

function jpegOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height * 4).map((_, i) => i % 4 === 0 ? 200 : 100);
  return Uint8Array.from(jpeg.encode({ width, height, data }, 90).data);
}

Deno.test("a picture larger than the limit of pixels or bytes is scaled down", async () => {
  const take = async (bytes: Uint8Array<ArrayBuffer>, side: number, most: number) => {
    const request = { want: "pictures", numbers: [1], side, bytes: most } as const;
    const read = await readPictures(bytes, { path: "a.png" }, request);
    return { given: read.answer.pictures[0]!.given, bytes: read.contents[0]! };
  };
  const small = await take(makePng(800, 200), 100, 1_000_000);
  const size = small.bytes.length;
  deepEqual(small.given, { mediaType: "image/png", width: 100, height: 25, isScaled: true, size });
  deepEqual([...new Set(decode(small.bytes).data)], [128]);
  const noise = await take(makePng(900, 900, { noise: true }), 900, 50_000);
  ok(noise.bytes.length <= 50_000 && noise.given?.isScaled, JSON.stringify(noise.given));
  const photo = await take(jpegOf(800, 600), 200, 1_000_000);
  deepEqual([photo.given?.width, photo.given?.height], [200, 150]);
  for (const depth of [8, 16] as const) {
    const data = new (depth === 8 ? Uint8Array : Uint16Array)(300 * 200 * 4).fill(depth === 8 ? 255 : 65_535);
    const png = Uint8Array.from(encode({ width: 300, height: 200, channels: 4, depth, data }));
    const { given, bytes } = await take(png, 30, 1_000_000);
    deepEqual([given?.width, given?.height, decode(bytes).data[0]], [30, 20, 255]);
  }
});

/** RGB as RGB and opacity. */
function rgba(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from(
    { length: rgb.length / 3 * 4 },
    (_, i) => i % 4 === 3 ? 255 : rgb[3 * (i >> 2) + i % 4]!,
  );
}

Deno.test("a picture is made anew without what else its file says, and one of a single colour is not given", async () => {
  const request = { want: "pictures", numbers: [1], side: 100, bytes: 100_000, isPlain: true } as const;
  const drawing = new Uint8Array(60 * 40 * 3).map((_, i) => i % 7 * 40);
  const png = Uint8Array.from(
    encode({ width: 60, height: 40, channels: 3, data: drawing, text: { Comment: "at home" } }),
  );
  const plain = await readPictures(png, { path: "a.png" }, request);
  equal(new TextDecoder("latin1").decode(png).includes("at home"), true);
  equal(new TextDecoder("latin1").decode(plain.contents[0]!).includes("at home"), false);
  deepEqual([...decode(plain.contents[0]!).data], [...drawing]);
  equal(plain.answer.pictures[0]!.look, "drawing");
  const photo = new Uint8Array(200 * 150 * 3).map((_, i) => 255 * (1 + Math.sin(i / 997 + i % 3)) / 2);
  const ofPhoto = Uint8Array.from(jpeg.encode({ width: 200, height: 150, data: rgba(photo) }, 80).data);
  equal((await readPictures(ofPhoto, { path: "a.jpg" }, request)).answer.pictures[0]!.look, "photo");
  const blank = await readPictures(makePng(60, 40), { path: "a.png" }, request);
  deepEqual([blank.answer.pictures[0]!.look, blank.contents], ["blank", []]);
});

for (
  const [path, make, isShown] of [["a.gif", gif, true], ["a.webp", webp, true], ["a.bmp", bmp, false], [
    "a.tif",
    tiff,
    false,
  ]] as const
) {
  Deno.test(`a picture is made anew as PNG from ${path.slice(2).toUpperCase()}`, async () => {
    const limit = { want: "pictures", numbers: [1], side: 1_000, bytes: 1_000_000 } as const;
    const { answer, contents } = await readPictures(make(), { path }, { ...limit, isPlain: true });
    const { width, height, channels, data } = decode(contents[0]!);
    deepEqual([width, height, answer.pictures[0]!.problem], [240, 200, undefined]);
    const shades = [0, 15, 16, 31, 32, 239].map((x) => data[(199 * width + x) * channels]);
    const expected = [0, 15, 16, 31, 32, 239].map((x) => shadeAt(x));
    if (path !== "a.webp") deepEqual(shades, expected);
    else deepEqual(shades.map((shade) => shade === 255), expected.map((shade) => shade === 255));
    const plain = await readPictures(make(), { path }, limit);
    deepEqual(
      plain.answer.pictures[0]!.problem,
      isShown ? undefined : "unsupported",
      "what clients do not show",
    );
    if (isShown) deepEqual(plain.contents[0], make());
  });

  Deno.test(`a damaged ${path.slice(2).toUpperCase()} is refused`, async () => {
    const request = { want: "pictures", numbers: [1], side: 1_000, bytes: 1_000_000, isPlain: true } as const;
    const whole = make();
    for (let length = 60; length < whole.length; length += Math.ceil(whole.length / 6)) {
      const { answer: { pictures } } = await readPictures(whole.slice(0, length), { path }, request);
      for (const { given, problem } of pictures) {
        ok(
          given !== undefined || problem === "damaged" || problem === "too_complex",
          `${length}: ${problem}`,
        );
      }
    }
  });
}

Deno.test("a picture whose head promises more pixels than there may be is refused before they take memory", async () => {
  const request = { want: "pictures", numbers: [1], side: 100, bytes: 100_000, isPlain: true } as const;
  for (
    const [path, bytes] of [
      ["a.bmp", bmp(100_000, 100_000)],
      ["a.tif", tiff(100_000, 100_000)],
      ["a.tif", tiff(2_000_000_000, 2_000_000_000)],
      ["a.gif", gif([65_535, 65_535])],
    ] as const
  ) {
    const { answer: { pictures: [picture] }, contents } = await readPictures(bytes, { path }, request);
    ok(picture!.problem === "too_complex" || picture!.problem === "damaged", `${path}: ${picture!.problem}`);
    equal(contents.length, 0);
  }
});

Deno.test("pictures of a Word document have the part of an A4 page that they take; those in headers have none", async () => {
  const drawing = (extent: string) =>
    `<w:p><w:r><w:drawing><wp:inline>${extent}<pic:pic><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic>
    </wp:inline></w:drawing></w:r></w:p>`;
  const extent = '<wp:extent cx="3780000" cy="5346000"/>';
  const file = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${drawing(extent)}${
      drawing("")
    }</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(["rId1", "image", "media/a.png"], [
      "rId2",
      "header",
      "header1.xml",
    ]),
    "word/header1.xml": `<w:hdr ${NAMESPACES}>${drawing(extent)}</w:hdr>`,
    "word/_rels/header1.xml.rels": relations(["rId1", "image", "media/a.png"]),
    "word/media/a.png": PNG,
  });
  const { answer } = await readPictures(file, { path: "a.docx" }, { want: "list" });
  deepEqual(answer.pictures.map(({ share }) => share), [0.25, undefined, 0]);
});

Deno.test("a GIF, which cannot be scaled, is given in any size if it has few bytes", async () => {
  const gif = Uint8Array.of(...utf8("GIF89a"), 0x88, 0x13, 0x88, 0x13);
  const take = async (bytes: number) => {
    const request = { want: "pictures", numbers: [1], side: 100, bytes } as const;
    const { answer: { pictures: [picture] } } = await readPictures(gif, { path: "a.gif" }, request);
    return picture!.problem ?? picture!.given;
  };
  deepEqual(await take(100), { mediaType: "image/gif", width: 5000, height: 5000, size: gif.length });
  equal(await take(9), "too_complex");
});

Deno.test("several pictures are given at once, and one that is broken does not keep back the others", async () => {
  const broken = makePng(400, 400).slice(0, 60).toBase64();
  const page = [broken, BASE64, broken].map((data) => `<img src="data:image/png;base64,${data}">`);
  const { answer, contents } = await readPictures(
    utf8(`<!doctype html><p>Tea</p>${page.join("")}`),
    { path: "a.html" },
    { want: "pictures", numbers: [3, 2, 9, 1], side: 100, bytes: 100_000 },
  );
  deepEqual(answer.pictures.map(({ number, problem }) => [number, problem]), [
    [3, "damaged"],
    [2, undefined],
    [1, "damaged"],
  ]);
  deepEqual(contents, [PNG]);
});

Deno.test("pictures that cannot be shown say why", async () => {
  const problems = async (bytes: string) => {
    const page = `<!doctype html><p>Tea</p><img src="data:image/x;base64,${bytes}">`;
    return (await listed("a.html", page) as ListedPicture[]).map((
      { problem, mediaType },
    ) => [problem, mediaType]);
  };
  deepEqual(await problems(btoa("<svg xmlns='http://www.w3.org/2000/svg'/>")), [[
    "unsupported",
    "image/svg+xml",
  ]]);
  deepEqual(await problems(btoa("II*\0" + "\0".repeat(20))), [["unsupported", "image/tiff"]]);
  deepEqual(await problems(btoa("no picture")), [["unsupported", undefined]]);
  deepEqual(await problems("*"), [["missing", undefined]]);
  const cut = await readPictures(makePng(400, 400).slice(0, 60), { path: "a.png" }, {
    want: "pictures",
    numbers: [1],
    side: 100,
    bytes: 1_000_000,
  });
  equal(cut.answer.pictures[0]?.problem, "damaged");
  deepEqual([givenIn(cut), cut.contents], [[undefined], []]);
});

Deno.test("a PNG is refused if it unpacks to more than the size in its header", async () => {
  const take = (bytes: Uint8Array<ArrayBuffer>) =>
    readPictures(bytes, { path: "a.png" }, { want: "pictures", numbers: [1], side: 100, bytes: 1_000_000 });
  const { answer, contents } = await take(makePng(5_000, 1, { extra: 2_000 }));
  deepEqual([answer.pictures[0]?.problem, contents], ["too_complex", []]);
});

Deno.test("a page is drawn in the width asked for, within the limit of bytes", async () => {
  const draw = (bytes: Uint8Array<ArrayBuffer>, number: number, width: number, most = 1_000_000) =>
    readPictures(bytes, { path: "a.pdf" }, { want: "page", number, width, bytes: most });
  const pdf = scanPdf([{ width: 600, height: 800, content: "0 0 300 800 re f" }], []);
  const { answer, contents: [drawn] } = await draw(pdf, 1, 300);
  deepEqual(answer, {
    pictures: [],
    given: { mediaType: "image/png", width: 300, height: 400, size: drawn!.length },
    pageCount: 1,
  });
  const { data } = decode(drawn!);
  deepEqual([data[10], data[290]], [0, 255]);
  deepEqual(await draw(pdf, 2, 300), { answer: { pictures: [], pageCount: 1 }, contents: [] });
  ok((await draw(pdf, 1, 300, 500)).contents[0]!.length <= 500);
  const problem = (wanted: DocumentError["problem"]) => (error: DocumentError) => error.problem === wanted;
  await rejects(draw(utf8("%PDF-1.7 nothing"), 1, 300), problem("damaged"));
  await rejects(
    readPictures(utf8("Tea"), { path: "a.txt" }, { want: "page", number: 1, width: 300, bytes: 1000 }),
    problem("unsupported"),
  );
  const wide = scanPdf([{ width: 14_000, height: 3 }], []);
  equal((await draw(wide, 1, 300)).answer.given?.height, 1);
});

Deno.test("many references and pictures take linear time", async () => {
  for (const mark of ["![", "![[", "<img src=", "![a](b.png) ", ".. image:: ", "data:image/"]) {
    await listed("a.md", mark.repeat(200_000));
  }
  await listed("a.html", "<!doctype html><p>Tea" + '<img src="a.png">'.repeat(200_000));
  await listed("a.html", "<!doctype html><p>Tea<picture>" + '<img srcset="a 1x, b">'.repeat(200_000));
  await listed("a.html", `<!doctype html><p>Tea<img srcset="${"a 1x, ".repeat(200_000)}">`);
  const many = "q 1 0 0 1 0 0 cm /I0 Do Q ".repeat(20_000);
  const { answer } = await readPictures(
    scanPdf([{ width: 600, height: 800, content: many }], [SCAN]),
    { path: "a.pdf" },
    { want: "list" },
  );
  equal(answer.pictures.length + (answer.more ?? 0), 20_000);
});
