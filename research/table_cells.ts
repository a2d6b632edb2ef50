// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Asks for 40 cells of tables in delimited text, workbooks, a PDF over pages and a Word document, in English and Chinese. An
 * answer is right if the first hit has the row; the output also says how many rows such a hit has. The names are those of regions
 * and currencies in CLDR, the numbers are made up.
 *
 *     deno run -A --config deno.dev.json research/table_cells.ts [PROGRAM [--tables STRATEGY]]
 *
 * PROGRAM: an executable; without it the sources are started.
 */
import { data, xlsxOf } from "../tests/documents/xlsx/xlsx_of.ts";
import { NAMESPACES, officeFile } from "../tests/documents/ooxml.ts";
import { lines, makePdf } from "../tests/documents/pdf/make_pdf.ts";
import { fromExecutable, fromSources, makeSandbox } from "../tests/e2e/_program.ts";

const CODES =
  "AD AE AF AL AM AO AR AT AU AZ BA BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DO DZ EC EE EG ER ES ET FI FJ FR GA GB GE GH GM GN GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KM KR KW KZ LA LB LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SC SD SE SG SI SK SL SN SO SR SV SY SZ TD TG TH TJ TM TN TR TT TZ UA UG US UY UZ VE VN YE ZA ZM ZW"
    .split(" ");
const MONEY =
  "AUD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU VND ZAR"
    .split(" ");
const nameIn = (language: string, type: "region" | "currency") => {
  const names = new Intl.DisplayNames([language], { type });
  return (code: string) => names.of(code)!;
};
const [country, 国家] = [nameIn("en", "region"), nameIn("zh", "region")];
const [currency, 货币] = [nameIn("en", "currency"), nameIn("zh", "currency")];

/** A number that a code always gives. */
function made(code: string, salt: number, most: number): number {
  let hash = salt;
  for (const char of code) hash = Math.imul(hash ^ char.charCodeAt(0), 0x85ebca6b) ^ hash >>> 13;
  // Mixed, so that hardly any two cells have the same number.
  hash = Math.imul(hash ^ hash >>> 16, 0xc2b2ae35);
  return ((hash ^ hash >>> 15) >>> 0) % most;
}
const grouped = (number: number) => number.toLocaleString("en-US");
const dayOf = (code: string, salt: number) => ({
  year: 1990 + made(code, salt, 34),
  month: 1 + made(code, salt + 1, 12),
  day: 1 + made(code, salt + 2, 28),
});
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const two = (number: number) => String(number).padStart(2, "0");
const iso = ({ year, month, day }: ReturnType<typeof dayOf>) => `${year}-${two(month)}-${two(day)}`;
const english = ({ year, month, day }: ReturnType<typeof dayOf>) =>
  `${day} ${MONTHS[month - 1]!.slice(0, 3)} ${year}`;
const american = ({ year, month, day }: ReturnType<typeof dayOf>) => `${MONTHS[month - 1]} ${day}, ${year}`;
const chinese = ({ year, month, day }: ReturnType<typeof dayOf>) => `${year}年${month}月${day}日`;

const members = (code: string) => grouped(2000 + made(code, 7, 90_000));
const fee = (code: string) => `${grouped(1000 + made(code, 11, 9000))}.50`;
const people = (code: string) => grouped(10 + made(code, 13, 14_000));
const rate = (code: string) => `${1 + made(code, 17, 900)}.${two(made(code, 19, 100))}`;
const sales = (code: string, quarter: number) => grouped(1000 + made(code, 23 + quarter, 80_000));

const QUARTERS = [0, 1, 2, 3, 4, 5, 6, 7];
/** Two heads: years over quarters. Column A is merged downwards, each year over four columns. */
const salesBook = xlsxOf({
  Sales: data(
    ["Country", "2023", "", "", "", "2024", "", "", ""],
    ["", ...QUARTERS.map((quarter) => `Q${quarter % 4 + 1}`)],
    ...CODES.map((code) => [country(code), ...QUARTERS.map((quarter) => sales(code, quarter))]),
  ) + `<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:E1"/><mergeCell ref="F1:I1"/></mergeCells>`,
});
const membersText = `Code,Country,Joined,Members,Fee\n${
  CODES.map((code) => `${code},"${country(code)}",${iso(dayOf(code, 3))},"${members(code)}","${fee(code)}"`)
    .join("\n")
}\n`;
const chineseBook = xlsxOf({
  说明: data(["本表由各国登记处填报，每年更新一次。"]),
  国家: data(
    ["代码", "国家", "人口（万）", "登记日期"],
    ...CODES.map((code) => [code, 国家(code), people(code), chinese(dayOf(code, 5))]),
  ),
});
const staffText = `工号\t姓名\t国家\t入职日期\t月薪\n${
  CODES.map((code, i) =>
    `E${1000 + i}\t员工${code}\t${国家(code)}\t${iso(dayOf(code, 9))}\t${
      grouped(5000 + made(code, 29, 30_000))
    }`
  ).join("\n")
}\n`;
const LEFTS = [60, 120, 330, 430];
const ratePages = [0, 20, 40].map((from) => {
  const rows = [
    ["Code", "Currency", "Rate", "Since"],
    ...MONEY.slice(from, from + 20).map((
      code,
    ) => [code, currency(code), rate(code), english(dayOf(code, 15))]),
  ];
  return rows.flatMap((row, i) => row.map((cell, j) => lines([cell], { x: LEFTS[j]!, y: 740 - i * 30 })))
    .join("\n");
});
const wordCell = (text: string) =>
  `<w:tc><w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p></w:tc>`;
const wordRows = [
  ["货币", "代码", "汇率", "起始日期"],
  ...MONEY.map((code) => [货币(code), code, rate(code), chinese(dayOf(code, 15))]),
];
const wordTable = officeFile("word/document.xml", {
  "word/document.xml":
    `<w:document ${NAMESPACES}><w:body><w:p><w:r><w:t>各种货币的汇率</w:t></w:r></w:p><w:tbl>${
      wordRows.map((row) => `<w:tr>${row.map(wordCell).join("")}</w:tr>`).join("")
    }</w:tbl></w:body></w:document>`,
});

const FILES = {
  "members.csv": membersText,
  "sales by quarter.xlsx": salesBook,
  "国家登记.xlsx": chineseBook,
  "员工.tsv": staffText,
  "exchange rates.pdf": makePdf({ pages: ratePages }),
  "汇率.docx": wordTable,
};

/** Questions, the file that answers, and texts that the row has. */
const QUESTIONS: readonly (readonly [question: string, file: string, ...row: string[]])[] = [
  // members.csv
  ["What fee does Portugal pay?", "members.csv", "Portugal", fee("PT")],
  ["How many members does Chile have?", "members.csv", "Chile", members("CL")],
  ["When did Kenya join?", "members.csv", "Kenya", iso(dayOf("KE", 3))],
  [`Which country joined on ${american(dayOf("HU", 3))}?`, "members.csv", "Hungary", iso(dayOf("HU", 3))],
  [`country that joined ${english(dayOf("NP", 3))}`, "members.csv", "Nepal", iso(dayOf("NP", 3))],
  [`${members("UY").replace(",", "")} members`, "members.csv", "Uruguay", members("UY")],
  [`fee of ${fee("SE").replace(",", "")}`, "members.csv", "Sweden", fee("SE")],
  ["fee and members of Mongolia", "members.csv", "Mongolia", fee("MN")],
  // sales by quarter.xlsx
  ["sales in Norway in Q2 2024", "sales by quarter.xlsx", "Norway", sales("NO", 5)],
  ["Vietnam sales by quarter", "sales by quarter.xlsx", "Vietnam", sales("VN", 0)],
  [
    "What were the sales of Tunisia in the fourth quarter of 2023?",
    "sales by quarter.xlsx",
    "Tunisia",
    sales("TN", 3),
  ],
  ["Zambia Q1 2023", "sales by quarter.xlsx", "Zambia", sales("ZM", 0)],
  [
    `which country sold ${sales("PL", 2).replace(",", "")}`,
    "sales by quarter.xlsx",
    "Poland",
    sales("PL", 2),
  ],
  ["quarterly sales of Iceland", "sales by quarter.xlsx", "Iceland", sales("IS", 1)],
  [`quarter with sales of ${sales("EC", 6)}`, "sales by quarter.xlsx", "Ecuador", sales("EC", 6)],
  // 国家登记.xlsx
  ["冰岛的人口是多少万？", "国家登记.xlsx", "冰岛", people("IS")],
  ["葡萄牙的登记日期", "国家登记.xlsx", "葡萄牙", chinese(dayOf("PT", 5))],
  [`${iso(dayOf("EE", 5))} 登记的国家`, "国家登记.xlsx", "爱沙尼亚", chinese(dayOf("EE", 5))],
  [
    `登记日期 ${dayOf("CU", 5).year}/${dayOf("CU", 5).month}/${dayOf("CU", 5).day}`,
    "国家登记.xlsx",
    "古巴",
    chinese(dayOf("CU", 5)),
  ],
  ["代码 PY 的国家和人口", "国家登记.xlsx", "PY", people("PY")],
  [`人口 ${people("MX").replace(",", "")} 万的国家`, "国家登记.xlsx", "墨西哥", people("MX")],
  ["尼泊尔人口（万）", "国家登记.xlsx", "尼泊尔", people("NP")],
  // 员工.tsv
  ["工号 E1057 的月薪", "员工.tsv", "E1057"],
  ["员工KR 的入职日期", "员工.tsv", "员工KR"],
  [`${chinese(dayOf("TR", 9))}入职的员工`, "员工.tsv", "员工TR", iso(dayOf("TR", 9))],
  ["哪位员工来自秘鲁", "员工.tsv", "秘鲁"],
  [`${chinese(dayOf("FJ", 9))} 入职`, "员工.tsv", "员工FJ", iso(dayOf("FJ", 9))],
  ["E1101 姓名", "员工.tsv", "E1101"],
  // exchange rates.pdf
  ["exchange rate of the Norwegian Krone", "exchange rates.pdf", "NOK", rate("NOK")],
  ["rate of the Czech Koruna", "exchange rates.pdf", "CZK", rate("CZK")],
  [
    "Since when does the rate of the Polish Zloty hold?",
    "exchange rates.pdf",
    "PLN",
    english(dayOf("PLN", 15)),
  ],
  [`currency since ${iso(dayOf("THB", 15))}`, "exchange rates.pdf", "THB", english(dayOf("THB", 15))],
  ["Ugandan Shilling rate", "exchange rates.pdf", "UGX", rate("UGX")],
  ["code of the Icelandic Króna", "exchange rates.pdf", "ISK", "Icelandic"],
  // 汇率.docx
  ["挪威克朗的汇率", "汇率.docx", "挪威克朗", rate("NOK")],
  ["肯尼亚先令的代码", "汇率.docx", "肯尼亚先令", "KES"],
  [`${iso(dayOf("SEK", 15))} 起的汇率`, "汇率.docx", "瑞典克朗", chinese(dayOf("SEK", 15))],
  ["越南盾的起始日期", "汇率.docx", "越南盾", chinese(dayOf("VND", 15))],
  ["新西兰元汇率", "汇率.docx", "新西兰元", rate("NZD")],
  ["哥伦比亚比索从哪天起", "汇率.docx", "哥伦比亚比索", chinese(dayOf("COP", 15))],
];

const [path, , tables] = Deno.args;
const start = path === undefined ? fromSources : fromExecutable(path);
const env = tables === undefined ? {} : { MUXUE_RAG_CHUNKING_TABLES: tables };
await using sandbox = await makeSandbox(FILES, { start, env });
const indexed = await sandbox.run`--dir ${sandbox.folder} --quiet`;
if (indexed.code !== 0) throw new Error(indexed.stderr);

interface Hit {
  readonly "file_path": string;
  readonly content: string;
  readonly rows?: string;
}
let right = 0, named = 0, rowsShown = 0;
for (const [question, file, ...row] of QUESTIONS) {
  const { stdout, stderr } = await sandbox.run`search ${question} --dir ${sandbox.folder} --json`;
  if (stdout === "") throw new Error(stderr);
  const hits: Hit[] = JSON.parse(stdout).data.match_content;
  const has = ({ content }: Hit) =>
    content.split("\n").some((line) => row.every((text) => line.includes(text)));
  const rank = hits.findIndex((hit) => hit.file_path.endsWith(file) && has(hit)) + 1;
  if (rank === 1) {
    right++;
    if (hits[0]!.rows !== undefined) named++;
    rowsShown += hits[0]!.content.split("\n").filter((line) => line.startsWith("|")).length - 2;
  } else console.log(`rank ${rank || "-"}: ${question} (${file}: ${row.join(", ")})`);
}
console.log(
  `${right} of ${QUESTIONS.length} rows at rank 1; ${named} of these hits name their rows; rows in such a hit: ${
    (rowsShown / right).toFixed(1)
  }`,
);
