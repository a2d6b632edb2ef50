import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type Document, DocumentError, type Loader } from "#documents/mod.ts";
import { contactsLoader, loader } from "#documents/formats/calendar.ts";
import { checkDocument } from "../_check_document.ts";

const load = async (content: string | Uint8Array<ArrayBuffer>, by: Loader = loader): Promise<Document> => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const document = await by.load(bytes, { path: "a" });
  checkDocument(document);
  return document;
};
const problem = async (content: string, by?: Loader) => {
  try {
    return (await load(content, by)).text.length;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};
const calendar = (...lines: string[]) =>
  load(["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR", ""].join("\r\n"));
const card = (...lines: string[]) =>
  load(["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n"), contactsLoader);

Deno.test("a tag has a limit, and a change of a card may be written in both forms of dates", async () => {
  const event = await calendar("BEGIN:VEVENT", `CATEGORIES:${"a".repeat(1_000)}`, "END:VEVENT");
  deepEqual(event.metadata, { tags: ["a".repeat(100)] });
  const [short, long] = [
    await card("FN:A", "REV:20240501T120000Z"),
    await card("FN:A", "REV:2024-05-01T12:00:00Z"),
  ];
  deepEqual([short.metadata, long.metadata], Array(2).fill({ modified: "2024-05-01T12:00:00Z" }));
});

Deno.test("each entry of a calendar is a section, with times as people write them, their zones and the written form", async () => {
  const { text, metadata, sections } = await calendar(
    "X-WR-CALNAME:工作",
    "BEGIN:VTIMEZONE",
    "TZID:Asia/Shanghai",
    "BEGIN:STANDARD",
    "DTSTART:19890917T020000",
    "END:STANDARD",
    "END:VTIMEZONE",
    "BEGIN:VEVENT",
    "UID:1",
    "SUMMARY:例会\\, 周一",
    "DTSTART;TZID=Asia/Shanghai:20240520T100000",
    "RRULE:FREQ=WEEKLY;BYDAY=MO",
    'ORGANIZER;CN="李: 明":mailto:li@x.example',
    "CATEGORIES:会议,部门\\,全体",
    "STATUS:CONFIRMED",
    "DESCRIPTION:一\\n二",
    "BEGIN:VALARM",
    "DESCRIPTION:no",
    "END:VALARM",
    "END:VEVENT",
    "BEGIN:VTODO",
    "SUMMARY:报告",
    "DUE;VALUE=DATE:20240601",
    "STATUS:NEEDS-ACTION",
    "END:VTODO",
  );
  equal(
    text,
    "# 工作\n\n## 例会, 周一\n\nVEVENT\nDTSTART: 2024-05-20 10:00 (Asia/Shanghai, 20240520T100000)\nRRULE: FREQ=WEEKLY;BYDAY=MO\n" +
      "ORGANIZER: 李: 明 <li@x.example>\nCATEGORIES: 会议,部门,全体\nDESCRIPTION: 一\n二\n\n## 报告\n\nVTODO\nDUE: 2024-06-01 (20240601)\nSTATUS: NEEDS-ACTION\n",
  );
  deepEqual(metadata, { tags: ["会议", "部门,全体"] });
  equal(sections.length, 3);
});

Deno.test("folded lines are joined, also within a character and over empty lines", async () => {
  const [start, end] = ["BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:周", "\r\nEND:VEVENT\r\nEND:VCALENDAR"]
    .map((text) => Buffer.from(text));
  const character = Buffer.from("一");
  const bytes = Buffer.concat([
    start!,
    character.subarray(0, 1),
    Buffer.from("\r\n "),
    character.subarray(1),
    end!,
  ]);
  equal((await load(new Uint8Array(bytes))).text, "# 周一\n\nVEVENT\n");
  const { text } = await load(
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY\n\n :Tea\nDTSTART\n\n ;VALUE=DATE\n :20240101\nEND:VEVENT\n",
  );
  equal(text, "# Tea\n\nVEVENT\nDTSTART: 2024-01-01 (20240101)\n");
});

Deno.test("each person of an address book is a section; names of properties and their types stay", async () => {
  const { title, text, metadata } = await card(
    "VERSION:4.0",
    "FN:Li Na",
    "N:Li;Na;;Dr.;",
    "ORG:Tea\\; Co;Sales",
    'TEL;TYPE="work,voice":+86 10 5555 0100',
    "item1.ADR;TYPE=HOME:;;1 Tea Road;Hangzhou;;310000;China",
    "item2.X-ABDATE:1975-03-01",
    "item2.X-ABLabel:_$!<Anniversary>!$_",
    "item3.URL:https://a.example",
    "item3.X-ABLabel:$!<HomePage>!$",
    "PHOTO;ENCODING=b:AAAA",
    "X-DESIGN:<card/>",
    "CATEGORIES:friends",
    "REV:20240501T100000Z",
  );
  equal(
    text,
    "# Li Na\n\nN: Li Na Dr.\nORG: Tea; Co, Sales\nTEL (work): +86 10 5555 0100\nADR (HOME): 1 Tea Road, Hangzhou, 310000, China\n" +
      "X-ABDATE (Anniversary): 1975-03-01\nURL (HomePage): https://a.example\nCATEGORIES: friends\n",
  );
  equal(title, "Li Na");
  deepEqual(metadata, { tags: ["friends"], modified: "2024-05-01T10:00:00Z" });
});

Deno.test("dates of a list and of a birthday are written as people do; what is no date stays", async () => {
  const { text } = await calendar(
    "BEGIN:VEVENT",
    "SUMMARY:A",
    "DTSTART:20241399",
    "DTEND:20240520T023015Z",
    "EXDATE;TZID=Asia/Tokyo:20240521T090000,20240522T090000",
    "FREEBUSY:19970308T160000Z/PT3H",
    "RRULE:FREQ=DAILY;UNTIL=20240601;BYDAY=MO,TU",
    "END:VEVENT",
  );
  equal(
    text,
    "# A\n\nVEVENT\nDTSTART: 20241399\nDTEND: 2024-05-20 02:30:15 (UTC, 20240520T023015Z)\n" +
      "RRULE: FREQ=DAILY;UNTIL=2024-06-01 (20240601);BYDAY=MO,TU\nEXDATE: 2024-05-21 09:00 (Asia/Tokyo, 20240521T090000), 2024-05-22 09:00 (Asia/Tokyo, 20240522T090000)\n" +
      "FREEBUSY: 1997-03-08 16:00 (UTC, 19970308T160000Z)/PT3H\n",
  );
  equal(
    (await card("FN:B", "BDAY:19800322", "TEL:19800322")).text,
    "# B\n\nBDAY: 1980-03-22 (19800322)\nTEL: 19800322\n",
  );
});

Deno.test("a description in HTML is read without its marks, and stands in for one that is missing", async () => {
  const { text, metadata } = await calendar(
    "BEGIN:VEVENT",
    "SUMMARY:A",
    "CREATED:20240501T080000Z",
    "LAST-MODIFIED:20240502T080000Z",
    "DESCRIPTION:<b>Tea</b><br>at 5\\, 1 < 2\\nThen home",
    'ATTENDEE;CN="Li Na";EMAIL=li@x.example:/aMTIz/principal/',
    "END:VEVENT",
  );
  equal(text, "# A\n\nVEVENT\nATTENDEE: Li Na <li@x.example>\nDESCRIPTION: Tea\nat 5, 1 < 2\nThen home\n");
  deepEqual(metadata, { created: "2024-05-01T08:00:00Z", modified: "2024-05-02T08:00:00Z" });
  const html = "X-ALT-DESC;FMTTYPE=text/html:<html><style>p {}</style><p>Tea</p></html>";
  equal((await calendar("BEGIN:VEVENT", html, "END:VEVENT")).text, "VEVENT\nDESCRIPTION: Tea\n");
});

Deno.test("an event without a calendar around it is read, and so is the card of an agent", async () => {
  equal((await load("BEGIN:VEVENT\nSUMMARY:Tea\nEND:VEVENT\n")).text, "# Tea\n\nVEVENT\n");
  const agent = ["AGENT:", "BEGIN:VCARD", "FN:B", "TEL:2", "END:VCARD"];
  equal((await card("FN:A", ...agent, "TEL:1")).text, "# A\n\nTEL: 1\n\n# B\n\nTEL: 2\n");
});

Deno.test("the sound of a Japanese name and fields of Android show their texts", async () => {
  equal(
    (await card(
      "FN:山田",
      "SOUND;X-IRMC-N:ﾔﾏﾀﾞ;ﾀﾛｳ;;;",
      "SOUND;ENCODING=BASE64:AAAA",
      "X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;小明;1;;;;",
    )).text,
    "# 山田\n\nSOUND: ﾔﾏﾀﾞ ﾀﾛｳ\nX-ANDROID-CUSTOM: vnd.android.cursor.item/nickname 小明\n",
  );
});

Deno.test("vCard 2.1 has quoted-printable values over several lines, in any encoding", async () => {
  const { text } = await card(
    "VERSION:2.1",
    "N;CHARSET=GBK;ENCODING=QUOTED-PRINTABLE:=D5=C5;=C8=FD;;;",
    "NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E7=BB=BF=E8=\r\n=8C=B6=0D=0A2",
    "LABEL;HOME;ENCODING=QUOTED-PRINTABLE:Tea Road=0D=0AHangzhou",
  );
  equal(text, "# 张三\n\nN: 张 三\nNOTE: 绿茶\n2\nLABEL (HOME): Tea Road\nHangzhou\n");
});

Deno.test("a file in GBK is decoded, and one that is cut off gives the entries before", async () => {
  const gbk = Buffer.concat([
    Buffer.from("BEGIN:VCARD\nFN:"),
    Buffer.from("d5c5c8fdb7e1", "hex"),
    Buffer.from("\nORG:"),
    Buffer.from("b2e2cad4b9abcbbe", "hex"),
  ]);
  equal((await load(new Uint8Array(gbk), contactsLoader)).text, "# 张三丰\n\nORG: 测试公司\n");
});

Deno.test("files without entries are damaged, and deep nesting is too complex", async () => {
  equal(await problem("BEGIN:VEVENT\n"), "damaged");
  equal(await problem("BEGIN:VCALENDAR\n", contactsLoader), "damaged");
  equal(await problem("BEGIN:VCALENDAR\n" + "BEGIN:X\n".repeat(200_000)), "too_complex");
});

Deno.test("each mark repeated 200,000 times takes linear time", async () => {
  for (
    const mark of [
      ";",
      ":",
      '"',
      "\\",
      "\\,",
      "=\n",
      "=E4",
      "\n ",
      "\r\n",
      "A;B=",
      "A.",
      ",",
    ]
  ) {
    const long = mark.repeat(200_000);
    for (const start of ["", "N:", "NOTE;ENCODING=QUOTED-PRINTABLE:", "X;", "CATEGORIES:"]) {
      ok(await problem(`BEGIN:VCARD\n${start}${long}`, contactsLoader) !== -1, mark);
    }
    ok(await problem(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:${long}`) !== -1, mark);
  }
  // Whole lines are read alike, whatever the first of them begins with.
  for (const lines of ["END:VCARD\n", "BEGIN:VCARD\nEND:VCARD\n", "A:b\n"]) {
    const long = lines.repeat(200_000);
    ok(await problem(`BEGIN:VCARD\n${long}`, contactsLoader) !== -1, lines);
    ok(await problem(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${long}`) !== -1, lines);
  }
  for (
    const [start, mark] of [["EXDATE:", "20240101T"], ["EXDATE:", "1"], ["X-ALT-DESC:", "<b "], [
      "DESCRIPTION:",
      "<b ",
    ]]
  ) {
    ok(await problem(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${start}${mark!.repeat(200_000)}`) !== -1, mark);
  }
});
