// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Asks for cells of real tables, made by others, in English and Chinese: delimited text, a workbook, PDFs whose tables go on over
 * pages, Word documents and web pages. An answer is right if the first hit has the row; the output also says how many rows that hit
 * has. The first set is for looking at mistakes, the second one only for measuring.
 *
 *     deno run -A --config deno.dev.json research/real_table_cells.ts FOLDER [PROGRAM [STRATEGY [SET]]]
 *
 * FOLDER holds the documents, which are not part of the project. From the repositories datasets/country-codes: `UNSD-en.csv`,
 * `UNSD-cn.csv`; vega/vega-datasets: `airports.csv`, `gapminder-health-income.csv`, `la-riots.csv`; mwaskom/seaborn-data: `mpg.csv`
 * (of `raw`); modood/Administrative-divisions-of-China: `areas.csv`, `cities.csv`; apache/tika:
 * `CVLKRA-KYC_Download_File_Structure_V3.1.xlsx` as `kyc.xlsx`, `018367.docx` as `tika018367.docx`; apache/poi: `bug57031.docx`;
 * tabulapdf/tabula-java: `schools.pdf`, `eu-001.pdf`, `eu-004.pdf`, `us-020.pdf`. From Debian's debian-reference-zh-cn:
 * `ch02.zh-cn.html`, `ch09.zh-cn.html`.
 *
 * PROGRAM: an executable; without it the sources are started. STRATEGY: of `chunking.tables`. SET: 1 or 2; without it both.
 */
import { fromExecutable, fromSources, makeSandbox } from "../tests/e2e/_program.ts";

/** Questions, the file that answers, and texts that the row has. */
type Question = readonly [question: string, file: string, ...row: string[]];

const SETS: readonly (readonly Question[])[] = [[
  ["ISO alpha-3 code of Ghana", "UNSD-en.csv", "Ghana", "GHA"],
  ["M49 code of Ukraine", "UNSD-en.csv", "Ukraine", "804"],
  ["克罗地亚的 ISO-alpha3 代码", "UNSD-cn.csv", "克罗地亚", "HRV"],
  ["加纳的 M49 代码", "UNSD-cn.csv", "加纳", "288"],
  ["airport code of Frederick Municipal", "airports.csv", "FDK"],
  ["airport 5A4", "airports.csv", "5A4", "Okolona"],
  ["income of Cape Verde", "gapminder-health-income.csv", "Cape Verde", "6514"],
  ["country with a population of 520,502", "gapminder-health-income.csv", "Cape Verde", "520502"],
  ["Who died on 20 May 1992?", "la-riots.csv", "Salgado", "1992-05-20"],
  ["weight of the Cadillac Eldorado", "mpg.csv", "cadillac eldorado", "3900"],
  ["信丰县的行政区划代码", "areas.csv", "信丰县", "360722"],
  ["代码 210681 是哪个市", "areas.csv", "210681", "东港市"],
  ["field type of OFF TEL NO", "kyc.xlsx", "OFF TEL NO", "integer"],
  ["field length of the rejection reason", "kyc.xlsx", "REJECTION REASON"],
  ["How much did Celeste Carty give?", "schools.pdf", "Carty", "125.00"],
  ["occupation of Christine Vang", "schools.pdf", "Vang", "Christine"],
  ["threshold for releases of hydrogen cyanide to air", "eu-001.pdf", "Hydrogen Cyanide", "200"],
  ["How much chloride may be released to water?", "eu-001.pdf", "Chlorides", "2 million"],
  ["number of retail outlets in Germany 1995", "eu-004.pdf", "Germany", "415.3"],
  ["TIMSS participation rates of Hong Kong", "us-020.pdf", "Hong Kong-CHN"],
  ["sarg 软件包的说明", "ch09.zh-cn.html", "sarg", "squid"],
  ["chi-square of the Wilcoxon test", "bug57031.docx", "Wilcoxon", "0.7660"],
  ["total adjudications approved and denied in FY 2006", "tika018367.docx", "Total Adjudications", "2,228"],
], [
  ["Which sub-region is Bouvet Island in?", "UNSD-en.csv", "Bouvet Island", "South America"],
  ["country with the ISO-alpha2 code EG", "UNSD-en.csv", "Egypt", "EGY"],
  ["布维岛属于哪个区域", "UNSD-cn.csv", "布维岛", "南美洲"],
  ["ISO-alpha3 代码 DZA 是哪个国家", "UNSD-cn.csv", "阿尔及利亚", "DZA"],
  ["Where is the airport Dewitt Field?", "airports.csv", "Dewitt Field", "Old Town"],
  ["latitude of Thigpen airport in Bay Springs", "airports.csv", "Thigpen", "31.95376472"],
  ["population of the Netherlands", "gapminder-health-income.csv", "Netherlands", "16924929"],
  ["10,620 income", "gapminder-health-income.csv", "Albania", "10620"],
  ["age of Tranh Lam", "la-riots.csv", "Tranh", "25"],
  ["horsepower of the Chevrolet Nova Custom", "mpg.csv", "chevrolet nova custom", "3278"],
  ["资中县的代码", "areas.csv", "资中县", "511025"],
  ["110102 是什么区", "areas.csv", "110102", "西城区"],
  ["XML tag for the in person verification date", "kyc.xlsx", "IN PERSON VERIFICATION DATE", "APP_IPV_DATE"],
  ["APP_PER_ADD_DT", "kyc.xlsx", "APP_PER_ADD_DT"],
  ["contribution of Sandy Pappas for Senate", "schools.pdf", "Sandy Pappas for Senate", "500.00"],
  ["Where does Brielle Stoyke live?", "schools.pdf", "Stoyke", "Highland"],
  ["1,1,1-trichloroethane threshold", "eu-001.pdf", "1,1,1-trichloroethane", "100"],
  ["release threshold of atrazine to land", "eu-001.pdf", "Atrazine", "1"],
  ["Systeme U Centre Regional Ouest sales", "eu-004.pdf", "Systeme U Centre Regional Ouest"],
  ["Lithuania number of schools sampled and students assessed", "us-020.pdf", "Lithuania", "4,661"],
  ["isag 的大小和流行度", "ch09.zh-cn.html", "isag", "106"],
  ["log-rank test", "bug57031.docx", "Log-Rank", "1.5209"],
  ["claims denied in FY 2007", "tika018367.docx", "Claims Denied", "833"],
]];

const [folder, path, strategy, set] = Deno.args;
if (folder === undefined) throw new Error("Name the folder with the documents.");
const asked = set === undefined ? SETS.flat() : SETS[Number(set) - 1]!;
const files = Object.fromEntries(
  Array.from(Deno.readDirSync(folder), ({ name }) => [name, Deno.readFileSync(`${folder}/${name}`)]),
);
const start = path === undefined ? fromSources : fromExecutable(path);
const env: Record<string, string> = strategy ? { MUXUE_RAG_CHUNKING_TABLES: strategy } : {};
await using sandbox = await makeSandbox(files, { start, env });
const indexed = await sandbox.run`--dir ${sandbox.folder} --quiet`;
if (indexed.code !== 0) throw new Error(indexed.stderr);

interface Hit {
  readonly "file_path": string;
  readonly content: string;
}
let right = 0, first = 0, rowsShown = 0;
for (const [question, file, ...row] of asked) {
  const { stdout, stderr } = await sandbox.run`search ${question} --dir ${sandbox.folder} --json`;
  if (stdout === "") throw new Error(stderr);
  const hits: Hit[] = JSON.parse(stdout).data.match_content;
  const has = (line: string) => row.every((text) => line.includes(text));
  const rank = hits.findIndex(({ file_path, content }) =>
    file_path.endsWith(file) && content.split("\n").some(has)
  ) + 1;
  if (rank === 1) {
    right++;
    const rows = hits[0]!.content.split("\n").filter((line) => line.startsWith("|")).slice(2);
    rowsShown += rows.length;
    if (rows.length === 1) first++;
  } else {
    const top = hits[0];
    console.log(
      `rank ${rank || "-"}: ${question} (${file}: ${row.join(", ")}), first: ${
        top?.file_path.split("/").at(-1)
      }`,
    );
  }
}
console.log(
  `${right} of ${asked.length} rows at rank 1; ${first} of these hits show that row alone; rows in such a hit: ${
    (rowsShown / right).toFixed(1)
  }`,
);
