import { deepEqual, equal, ok } from "node:assert/strict";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/diagram/visio.ts";
import { checkDocument } from "../_check_document.ts";
import { NAMESPACES, officeFile, problemOf, relations } from "../ooxml.ts";
import { zipOf } from "../zip_of.ts";

/** Returns a drawing with these pages: name, attributes, content. */
function visio(
  pages: readonly (readonly [name: string, content: string, attributes?: string])[],
  more: Readonly<Record<string, string>> = {},
): Uint8Array<ArrayBuffer> {
  const list = pages.map(([name, , attributes = ""], i) =>
    `<Page ID="${i}" Name="${name}" ${attributes}><Rel r:id="rId${i}" ${NAMESPACES}/></Page>`
  );
  return officeFile("visio/document.xml", {
    "visio/document.xml": "<VisioDocument/>",
    "visio/_rels/document.xml.rels": relations(
      ["rId1", "pages", "pages/pages.xml"],
      ["rId2", "masters", "masters/masters.xml"],
      ["rId3", "comments", "comments.xml"],
    ),
    "visio/pages/pages.xml": `<Pages xmlns="http://schemas.microsoft.com/office/visio/2012/main">${
      list.join("")
    }</Pages>`,
    "visio/pages/_rels/pages.xml.rels": relations(
      ...pages.map((_, i) => [`rId${i}`, "page", `page${i}.xml`] as const),
    ),
    ...Object.fromEntries(
      pages.map(([, content], i) => [`visio/pages/page${i}.xml`, `<PageContents>${content}</PageContents>`]),
    ),
    ...more,
  });
}
const shape = (id: number, text: string, y = 0, more = "", attributes = "") =>
  `<Shape ID="${id}" ${attributes}><Cell N="PinY" V="${y}"/>${more}${
    text === "" ? "" : `<Text>${text}</Text>`
  }</Shape>`;
const load = async (bytes: Uint8Array<ArrayBuffer>) => {
  const document = await loader.load(bytes, { path: "a.vsdx" });
  checkDocument(document);
  return document;
};

Deno.test("each page has its shapes from top to bottom, groups as sections, and labelled connectors", async () => {
  const property = (label: string, value: string) =>
    `<Section N="Property"><Row N="a"><Cell N="Label" V="${label}"/><Cell N="Value" V="${value}"/></Row></Section>`;
  const { text, pages } = await load(visio([
    [
      "Network",
      `<Shapes>${
        shape(
          1,
          "",
          9,
          `<Shapes>${shape(2, "Inner", 1)}</Shapes>${property("Owner", "Li")}<Text>Rack</Text>`,
          `Type="Group"`,
        ) +
        shape(3, "Low<fld IX='0'>er</fld>&#10;line", 1, property("Empty", "")) + shape(4, "Upper", 5) +
        shape(5, "<cp IX='0'/>feeds") +
        shape(6, "hidden", 3, `<Cell N="HideText" V="1"/>`)
      }</Shapes><Connects><Connect FromSheet="5" FromCell="BeginX" ToSheet="4"/><Connect FromSheet="5" FromCell="EndX" ToSheet="3"/></Connects>`,
    ],
    ["Back", `<Shapes>${shape(1, "Footer")}</Shapes>`, `Background="1"`],
    ["Page-2", `<Shapes>${shape(1, "Second")}</Shapes>`],
  ], {
    "visio/comments.xml":
      `<Comments><AuthorList><AuthorEntry ID="1" Name="Li Na"/></AuthorList><CommentList><CommentEntry AuthorID="1" PageID="0" Date="2024-05-01T10:00:00">Check this</CommentEntry></CommentList></Comments>`,
  }));
  equal(
    text,
    "# Network\n\nUpper\n\nLower\nline\n\n## Rack\n\nOwner: Li\n\nInner\n\n- Upper → Lower: feeds\n\n> [Li Na, 2024-05-01] Check this\n\nSecond\n\n# Back\n\nFooter\n",
  );
  deepEqual(pages?.map(({ label }) => label), ["Network", "Page-2", "Back"]);
});

/** Returns the parts of master 7 with these shapes. */
const master = (shapes: string) => ({
  "visio/masters/masters.xml": `<Masters><Master ID="7"><Rel r:id="rId1" ${NAMESPACES}/></Master></Masters>`,
  "visio/masters/_rels/masters.xml.rels": relations(["rId1", "master", "master1.xml"]),
  "visio/masters/master1.xml": `<MasterContents><Shapes>${shapes}</Shapes></MasterContents>`,
});

Deno.test("a shape without a text shows that of its master, also in a group", async () => {
  const { text } = await load(visio([
    [
      "",
      `<Shapes><Shape ID="1" Master="7"><Shapes><Shape ID="2" MasterShape="6"/><Shape ID="3" MasterShape="8"><Text>own</Text></Shape></Shapes></Shape></Shapes>`,
    ],
  ], master(shape(5, "Server", 0, `<Shapes>${shape(6, "inherited")}${shape(8, "no")}</Shapes>`))));
  equal(text, "# Server\n\ninherited\n\nown\n");
});

Deno.test("the data of a shape has the names that its master gives", async () => {
  const data = (cells: string) => `<Section N="Property"><Row N="ip">${cells}</Row><Row N="x"/></Section>`;
  const named = data(`<Cell N="Label" V="Address"/>`);
  const value = data(`<Cell N="Value" V="10.0.0.1"/>`);
  const own = data(`<Cell N="Label" V="IP"/><Cell N="Value" V="10.0.0.2"/>`);
  const shapes = shape(1, "A", 9, value, `Master="7"`) + shape(2, "B", 8, own, `Master="7"`) +
    shape(3, "C", 7, value);
  equal(
    (await load(visio([["", `<Shapes>${shapes}</Shapes>`]], master(shape(5, "", 0, named))))).text,
    "A\nAddress: 10.0.0.1\n\nB\nIP: 10.0.0.2\n\nC\n",
  );
  const long = data(`<Cell N="Label" V="${"a".repeat(100_000)}"/>`);
  const many = shape(1, "A", 0, value, `Master="7"`).repeat(200);
  equal(
    await problemOf(loader, visio([["", `<Shapes>${many}</Shapes>`]], master(shape(5, "", 0, long)))),
    "too_complex",
  );
});

Deno.test("texts that the file holds once are not repeated without end", async () => {
  const inheriting = `<Shapes>${'<Shape ID="1" Master="7"/>'.repeat(200)}</Shapes>`;
  equal(
    await problemOf(loader, visio([["", inheriting]], master(shape(5, "a".repeat(100_000))))),
    "too_complex",
  );
  const twice = visio([["A", `<Shapes>${shape(1, "once")}</Shapes>`], ["B", ""]], {
    "visio/pages/_rels/pages.xml.rels": relations(["rId0", "page", "page0.xml"], [
      "rId1",
      "page",
      "page0.xml",
    ]),
  });
  equal((await load(twice)).text, "# A\n\nonce\n\n# B\n");
});

Deno.test("a drawing without pages is damaged", async () => {
  equal(await problemOf(loader, visio([])), "damaged");
  equal(await problemOf(loader, zipOf({ "a.txt": "x" })), "damaged");
});

Deno.test("many shapes and deep groups are held", async () => {
  const deep = `${"<Shape ID='1'><Shapes>".repeat(400)}`;
  equal(await problemOf(loader, visio([["", `<Shapes>${deep}`]])), "too_complex");
  const many = Array.from({ length: 100_000 }, (_, i) => `<Shape ID="${i}"><Text>a</Text></Shape>`).join("");
  try {
    ok((await load(visio([["", `<Shapes>${many}</Shapes>`]]))).text.length > 100_000);
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
  }
});
