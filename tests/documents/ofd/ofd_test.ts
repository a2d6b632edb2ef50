import { deepEqual, equal, ok } from "node:assert/strict";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/ofd/loader.ts";
import { checkDocument } from "../_check_document.ts";
import { zipOf } from "../zip_of.ts";
import { der, ofdOf, ofdPage, ofdPath, ofdText, seal } from "./ofd_of.ts";

const OFD = `xmlns:ofd="http://www.ofdspec.org/2016"`;
const load = async (bytes: Uint8Array<ArrayBuffer>) => {
  const document = await loader.load(bytes, { path: "a.ofd" });
  checkDocument(document);
  return document;
};
const problem = async (bytes: Uint8Array<ArrayBuffer>) => {
  try {
    return (await load(bytes)).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};
const one = (objects: string) => ofdOf({ "P/C.xml": ofdPage(objects) });

Deno.test("the text of an OFD page comes in reading order, whatever the order of its objects", async () => {
  const { text, pages } = await load(ofdOf({
    "P_0/C.xml": ofdPage(ofdText("第二段在这里。", 20, 60) + ofdText("第一段在这里。", 20, 40)),
    "/Doc_0/P_1/C.xml": ofdPage(""),
  }, { more: { "Doc_0/P_1/C.xml": ofdPage(ofdText("另一页", 20, 40)) } }));
  equal(text, "第一段在这里。\n\n第二段在这里。\n\n另一页\n");
  deepEqual(pages?.map(({ start, end }) => text.slice(start, end)), [
    "第一段在这里。\n\n第二段在这里。\n",
    "\n另一页\n",
  ]);
});

Deno.test("a page shows its template, drawings, groups and annotations, and nothing that is invisible", async () => {
  const annotation = (text: string, more = "") =>
    `<ofd:Annot Type="Watermark" ${more}><ofd:Appearance Boundary="0 0 50 50">${
      ofdText(text, 0, 0)
    }</ofd:Appearance></ofd:Annot>`;
  const { text } = await load(ofdOf({
    "P/C.xml": ofdPage(
      ofdText("张三", 50, 40) + `<ofd:PageBlock>${ofdText("经理", 50, 50)}</ofd:PageBlock>` +
        `<ofd:CompositeObject ResourceID="7" Boundary="50 60 10 10"/>` +
        ofdText("暗", 9, 9, { attributes: `Visible="false"` }),
      `<ofd:Template TemplateID="5"/>`,
    ),
  }, {
    common: `<ofd:TemplatePage ID="5" BaseLoc="T.xml"/><ofd:DocumentRes>R.xml</ofd:DocumentRes>`,
    document: `<ofd:Annotations>A/All.xml</ofd:Annotations>`,
    more: {
      "Doc_0/T.xml": ofdPage(
        ofdText("姓名：", 30, 40) + ofdText("职务：", 30, 50) + ofdText("部门：", 30, 60),
      ),
      "Doc_0/R.xml":
        `<ofd:Res ${OFD}><ofd:CompositeGraphicUnits><ofd:CompositeGraphicUnit ID="7"><ofd:Content>${
          ofdText("财务", 0, 0)
        }</ofd:Content></ofd:CompositeGraphicUnit></ofd:CompositeGraphicUnits></ofd:Res>`,
      "Doc_0/A/All.xml":
        `<ofd:Annotations ${OFD}><ofd:Page PageID="1"><ofd:FileLoc>P.xml</ofd:FileLoc></ofd:Page></ofd:Annotations>`,
      "Doc_0/A/P.xml": `<ofd:PageAnnot ${OFD}>${annotation("严禁复制")}${
        annotation("旧", 'Visible="false"')
      }</ofd:PageAnnot>`,
    },
  }));
  equal(
    text.replace(/[|\s-]+/g, " "),
    " 姓名： 张三 职务： 经理 部门： 财务 严禁复制 ",
  );
});

Deno.test("ruling lines make a table, and a text far to the right of another is another cell", async () => {
  const lines = [20, 60, 100].map((x) => `M ${x} 40 L ${x} 64`).concat(
    [40, 48, 56, 64].map((y) => `M 20 ${y} L 100 ${y}`),
  );
  const cells = [["品名", "价格"], ["绿茶", "八十"], ["红茶", "九十"]].flatMap(([a, b], row) => [
    ofdText(a!, 22, 42 + 8 * row),
    ofdText(b!, 62, 42 + 8 * row),
  ]);
  equal(
    (await load(one(lines.map(ofdPath).join("") + cells.join("")))).text,
    "| 品名 | 价格 |\n| --- | --- |\n| 绿茶 | 八十 |\n| 红茶 | 九十 |\n",
  );
  const code = `<ofd:TextCode X="0" Y="4" DeltaX="4 4 36 4 4">甲乙丙丁戊己</ofd:TextCode>`;
  const { text } = await load(
    one(`<ofd:TextObject Boundary="20 20 100 4" Size="4">${code}</ofd:TextObject>`),
  );
  equal(text, "甲乙丙 丁戊己\n");
});

Deno.test("texts keep their characters with other glyphs, one below the other, and turned", async () => {
  const glyphs =
    `<ofd:CGTransform CodePosition="0" CodeCount="2" GlyphCount="1"><ofd:Glyphs>7</ofd:Glyphs></ofd:CGTransform>`;
  equal((await load(one(ofdText("fi 字", 20, 20, { transform: glyphs })))).text, "fi 字\n");
  const vertical = (text: string, x: number) =>
    `<ofd:TextObject Boundary="${x} 20 4 90" Size="4"><ofd:TextCode X="0" Y="4" DeltaY="g 4 4">${text}</ofd:TextCode></ofd:TextObject>`;
  equal(
    (await load(one(vertical("春眠不觉晓", 100) + vertical("处处闻啼鸟", 94)))).text,
    "春眠不觉晓处处闻啼鸟\n",
  );
  const turned = ofdText("旋转", 20, 20, { attributes: `CTM="0 1 -1 0 0 0"` });
  equal((await load(one(turned))).text, "旋转\n");
});

Deno.test("DocInfo has title and metadata, bookmarks have the levels of headings", async () => {
  const outline =
    `<ofd:Outlines><ofd:OutlineElem Title="总则"><ofd:Actions><ofd:Action Event="CLICK"><ofd:Goto><ofd:Dest PageID="1"/></ofd:Goto></ofd:Action></ofd:Actions><ofd:OutlineElem Title="目的"/></ofd:OutlineElem></ofd:Outlines>`;
  const { title, metadata, sections } = await load(ofdOf({
    "P/C.xml": ofdPage(
      ofdText("总则", 20, 40, { size: 7 }) + ofdText("目的", 20, 60, { size: 5 }) +
        ofdText("为了规范文件管理，制定本办法。", 20, 80),
    ),
  }, {
    document: outline,
    info:
      `<ofd:Title>办法</ofd:Title><ofd:Author>李明</ofd:Author><ofd:CreationDate>2024-05-01</ofd:CreationDate><ofd:ModDate>2024-05-02T08:00:00+08:00</ofd:ModDate><ofd:Abstract>概要</ofd:Abstract><ofd:Subject>档案</ofd:Subject><ofd:Keywords><ofd:Keyword>文件</ofd:Keyword><ofd:Keyword>管理</ofd:Keyword></ofd:Keywords><ofd:CustomDatas><ofd:CustomData Name="文号">〔2024〕1号</ofd:CustomData></ofd:CustomDatas>`,
  }));
  equal(title, "办法");
  deepEqual(metadata, {
    authors: ["李明"],
    created: "2024-05-01",
    modified: "2024-05-02T08:00:00+08:00",
    tags: ["文件", "管理"],
    description: "概要",
    extra: { subject: "档案", 文号: "〔2024〕1号" },
  });
  deepEqual(sections.map(({ path }) => path.join(" > ")), ["总则", "总则 > 目的"]);
});

Deno.test("seals have their names on their pages, annotations their remarks, and attachments are named", async () => {
  const signature = (stamps: string, more: string, value = "") =>
    `<ofd:Signature ${OFD}><ofd:SignedInfo>${stamps}${more}</ofd:SignedInfo><ofd:SignedValue>${value}</ofd:SignedValue></ofd:Signature>`;
  const stamp = (page: number) => `<ofd:StampAnnot PageRef="${page}"/>`;
  const parts = {
    "OFD.xml":
      `<ofd:OFD ${OFD}><ofd:DocBody><ofd:DocRoot>D/D.xml</ofd:DocRoot><ofd:Signatures>/D/S/S.xml</ofd:Signatures></ofd:DocBody></ofd:OFD>`,
    "D/D.xml":
      `<ofd:Document ${OFD}><ofd:CommonData/><ofd:Pages><ofd:Page ID="1" BaseLoc="P.xml"/><ofd:Page ID="2" BaseLoc="P.xml"/></ofd:Pages>` +
      `<ofd:Annotations>A.xml</ofd:Annotations><ofd:Attachments>F.xml</ofd:Attachments></ofd:Document>`,
    "D/P.xml": ofdPage(ofdText("合同", 20, 20)),
    "D/A.xml":
      `<ofd:Annotations ${OFD}><ofd:Page PageID="1"><ofd:FileLoc>N.xml</ofd:FileLoc></ofd:Page></ofd:Annotations>`,
    "D/N.xml":
      `<ofd:PageAnnot ${OFD}><ofd:Annot Type="Highlight"><ofd:Remark>请核对</ofd:Remark><ofd:Appearance/></ofd:Annot></ofd:PageAnnot>`,
    "D/F.xml":
      `<ofd:Attachments ${OFD}><ofd:Attachment Name="清单.xlsx"/><ofd:Attachment Name="data" Visible="false"/></ofd:Attachments>`,
    "D/S/S.xml": `<ofd:Signatures ${OFD}>${
      ["1", "2", "3", "4"].map((i) => `<ofd:Signature BaseLoc="/D/S/${i}.xml"/>`).join("")
    }</ofd:Signatures>`,
    "D/S/1.xml": signature(
      stamp(1) + stamp(1) + stamp(2),
      `<ofd:Seal><ofd:BaseLoc>/D/S/Seal.esl</ofd:BaseLoc></ofd:Seal>`,
    ),
    "D/S/2.xml": signature(stamp(2), "", "2.dat"),
    "D/S/3.xml": signature("", "", "2.dat"),
    "D/S/4.xml": signature(stamp(1), "", "4.dat"),
    "D/S/Seal.esl": seal("测试公司公章"),
    "D/S/2.dat": der(48, der(48, der(2, "\x01"), seal("财务专用章"))),
    "D/S/4.dat": new Uint8Array(100).fill(0x85),
  };
  const { text } = await load(zipOf(parts));
  equal(
    text,
    "合同\n\n请核对\n\nSeal: 测试公司公章\n\n合同\n\nSeal: 测试公司公章\n\nSeal: 财务专用章\n\nAttachments: 清单.xlsx\n",
  );
});

Deno.test("a text of several lines goes back at the end of each", async () => {
  const code = (text: string, x: string, y: string) =>
    `<ofd:TextObject Boundary="20 20 90 9" Size="4"><ofd:TextCode X="0" Y="4" DeltaX="${x}" DeltaY="${y}">${text}</ofd:TextCode></ofd:TextObject>`;
  equal((await load(one(code("住址北京市", "4 4 -8 4 -4", "0 0 5 0 5")))).text, "住址北京市\n");
  const short = code("abcd", "2 2 2 -6", "0 0 0 5");
  equal((await load(one(ofdText("代码:", 8, 20) + short))).text, "代码: abcd\n");
});

Deno.test("a title in the margin of several pages is read once, page numbers are not", async () => {
  const page = (text: string, number: number) =>
    ofdPage(ofdText("增值税发票", 80, 10) + ofdText(text, 20, 100) + ofdText(`第${number}页`, 100, 285));
  const pages = { "A.xml": page("茶叶五箱", 1), "B.xml": page("茶杯十只", 2), "C.xml": page("茶壶三把", 3) };
  equal((await load(ofdOf(pages))).text, "增值税发票\n\n茶叶五箱\n\n茶杯十只\n\n茶壶三把\n");
});

Deno.test("a page that is missing or broken is empty, and the others are read", async () => {
  const { text, emptyPages } = await load(ofdOf({
    "A.xml": "",
    "B.xml": ofdPage(ofdText("其余", 20, 20)),
    "C.xml": ofdPage("<ofd:TextObject/>"),
  }));
  equal(text, "其余\n");
  deepEqual(emptyPages, [1, 3]);
});

Deno.test("a file without pages is damaged, one with encrypted parts is encrypted", async () => {
  equal(await problem(zipOf({ "OFD.xml": "" })), "damaged");
  equal(await problem(zipOf({ "OFD.xml": "<x/>" })), "damaged");
  equal(await problem(zipOf({ "a.txt": "x" })), "damaged");
  const body =
    `<ofd:OFD ${OFD}><ofd:DocBody><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>`;
  equal(await problem(zipOf({ "OFD.xml": body, "Encryptions.xml": "<x/>" })), "encrypted");
});

Deno.test("parts that many pages or annotations share count for each of them", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`${i}.xml`, ofdPage("", `<ofd:Template TemplateID="5"/>`)]),
  );
  const objects = "<a/>".repeat(100_000);
  const common = `<ofd:TemplatePage ID="5" BaseLoc="T.xml"/>`;
  equal(await problem(ofdOf(pages, { common, more: { "Doc_0/T.xml": ofdPage(objects) } })), "too_complex");
  const shown = `<ofd:Annot><ofd:Appearance Boundary="0 0 50 50">${objects}</ofd:Appearance></ofd:Annot>`;
  const annotated = ofdOf({ "P.xml": ofdPage("") }, {
    document: `<ofd:Annotations>A.xml</ofd:Annotations>`,
    more: {
      "Doc_0/A.xml":
        `<ofd:Annotations ${OFD}><ofd:Page PageID="1"><ofd:FileLoc>N.xml</ofd:FileLoc></ofd:Page></ofd:Annotations>`,
      "Doc_0/N.xml": `<ofd:PageAnnot ${OFD}>${shown.repeat(3)}</ofd:PageAnnot>`,
    },
  });
  equal(await problem(annotated), "too_complex");
  const long = ofdText("字".repeat(50_000), 0, 0, { attributes: `Visible="true"` });
  equal((await load(one(long))).text.length, 50_001);
});

Deno.test("hostile pages take linear time: many objects, long arrays, and drawings that use each other", async () => {
  equal(await problem(one(`<ofd:TextObject Boundary="1 1 1 1" Size="3">`.repeat(200_000))), "too_complex");
  equal(await problem(one(ofdText("字", 20, 20).repeat(200_001))), "too_complex");
  const long = `<ofd:TextObject Boundary="1 1 1 1" Size="3"><ofd:TextCode X="0" Y="3" DeltaX="${
    "g 999999999 3 ".repeat(200_000)
  }">字字</ofd:TextCode></ofd:TextObject>`;
  equal(await problem(one(long)), "字字\n");
  equal(await problem(one(ofdPath("M 0 0 ".repeat(200_000)) + ofdText("字", 20, 20))), "字\n");
  const uses = [...Array(12).keys()].map((i) =>
    `<ofd:CompositeGraphicUnit ID="${i}"><ofd:Content>${
      `<ofd:CompositeObject ResourceID="${i + 1}"/>`.repeat(10)
    }</ofd:Content></ofd:CompositeGraphicUnit>`
  );
  const bomb = ofdOf({ "P.xml": ofdPage(`<ofd:CompositeObject ResourceID="0"/>`) }, {
    common: `<ofd:PublicRes>R.xml</ofd:PublicRes>`,
    more: { "Doc_0/R.xml": `<ofd:Res ${OFD}>${uses.join("")}</ofd:Res>` },
  });
  equal(await problem(bomb), "too_complex");
});
