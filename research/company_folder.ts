// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a folder like that of a company: about 3,300 PDF, Office, HTML and text files in several languages, most of them different documents.
 *
 *     deno run -A research/company_folder.ts SHARED OUT [MIXED]
 *
 * The pages of Debian's manuals are written as PDF, DOCX, ODT, XLSX, PPTX and Markdown with LibreOffice and pandoc, their pictures included,
 * and its PDF manuals are cut into parts of ten pages. SHARED has `documents/pairs` and `documents/formats`. MIXED becomes a folder of 300
 * PDF and Office files out of OUT. Needs apt-get, dpkg-deb, gzip, qpdf, soffice and pandoc. It takes about 25 minutes.
 */
import { basename, extname, join } from "node:path";
import { copyFolder } from "../scripts/copy_folder.ts";

const PACKAGES = [
  "debian-handbook",
  "debian-policy",
  "debian-reference-en",
  "debian-reference-zh-cn",
  "git-doc",
  "maint-guide-zh-cn",
];
const HANDBOOK = "doc/debian-handbook/html";
const GIT = "doc/git-doc", REFERENCE = "debian-reference";
/** Folders of pages, and the kinds of files that are written of them, each with the most pages. */
const WRITTEN: readonly [folder: string, kinds: Readonly<Record<string, number>>][] = [
  [`${HANDBOOK}/en-US`, { pdf: 127, docx: 127, pptx: 100, xlsx: 40, md: 127, html: 127 }],
  [`${HANDBOOK}/zh-CN`, { pdf: 127, docx: 127, pptx: 100, xlsx: 40, md: 127, html: 127 }],
  [`${HANDBOOK}/zh-TW`, { pdf: 127, docx: 127, odt: 60 }],
  [`${HANDBOOK}/de-DE`, { pdf: 127, odt: 60 }],
  [`${HANDBOOK}/fr-FR`, { docx: 127 }],
  [GIT, { pdf: 206, docx: 206, pptx: 100, xlsx: 110, html: 206 }],
  [REFERENCE, { pdf: 36, xlsx: 36, html: 36 }],
];
const WRITER = "--infilter=HTML (StarWriter)", CALC = "--infilter=HTML (StarCalc)";
const OFFICE: Readonly<Record<string, readonly [filter: string, to: string]>> = {
  pdf: [WRITER, "pdf:writer_pdf_Export"],
  docx: [WRITER, "docx:MS Word 2007 XML"],
  odt: [WRITER, "odt:writer8"],
  xlsx: [CALC, "xlsx:Calc MS Excel 2007 XML"],
};
const PDFS = [
  `${REFERENCE}/debian-reference.en.pdf`,
  `${REFERENCE}/debian-reference.zh-cn.pdf`,
  "doc/maint-guide-zh-cn/maint-guide.zh-cn.pdf",
  "doc/debian-policy/policy.pdf",
  "doc/debian-policy/fhs/fhs-3.0.pdf",
];
/** Of each kind, the files of the folder MIXED. */
const MIXED: Readonly<Record<string, number>> = {
  ".pdf": 120,
  ".docx": 80,
  ".pptx": 40,
  ".xlsx": 40,
  ".odt": 20,
};

async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, cwd, stdout: "null" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

function filesIn(folder: string, end: string): string[] {
  return [...Deno.readDirSync(folder)].filter(({ isFile, name }) => isFile && name.endsWith(end))
    .map(({ name }) => join(folder, name)).sort();
}

function* filesBelow(folder: string): Generator<string> {
  for (
    const { name, isDirectory } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)
  ) {
    if (isDirectory) yield* filesBelow(join(folder, name));
    else yield join(folder, name);
  }
}

const [shared, out, mixed] = Deno.args;
if (shared === undefined || out === undefined) {
  console.error("usage: company_folder.ts SHARED OUT [MIXED]");
  Deno.exit(2);
}
const work = await Deno.makeTempDir();
try {
  await run(work, "apt-get", "download", ...PACKAGES);
  for (const path of filesIn(work, ".deb")) await run(work, "dpkg-deb", "-x", path, join(work, "content"));
  const top = join(work, "content", "usr", "share");
  await Deno.mkdir(out, { recursive: true });
  for (const [folder, kinds] of WRITTEN) {
    const pages = filesIn(join(top, folder), ".html");
    for (const [kind, count] of Object.entries(kinds)) {
      const target = join(out, basename(folder), kind);
      await Deno.mkdir(target, { recursive: true });
      const chosen = pages.slice(0, count);
      const office = OFFICE[kind];
      if (office !== undefined) {
        await run(
          target,
          "soffice",
          "--headless",
          office[0],
          "--convert-to",
          office[1],
          "--outdir",
          target,
          ...chosen,
        );
        continue;
      }
      for (const page of chosen) {
        const path = join(target, `${basename(page, ".html")}.${kind}`);
        if (kind === "html") await Deno.copyFile(page, path);
        else await run(join(top, folder), "pandoc", page, "-o", path);
      }
    }
  }
  await Deno.mkdir(join(out, "git-doc", "txt"));
  for (const path of filesIn(join(top, GIT), ".txt")) {
    await Deno.copyFile(path, join(out, "git-doc", "txt", basename(path)));
  }
  await Deno.mkdir(join(out, "manuals"));
  for (const pdf of PDFS) {
    const path = join(top, pdf);
    await run(top, "gzip", "-df", `${path}.gz`).catch(() => {});
    await run(top, "qpdf", "--split-pages=10", path, join(out, "manuals", `${basename(pdf, ".pdf")} %d.pdf`));
  }
  for (const name of ["pairs", "formats"]) {
    await copyFolder(
      join(shared, "documents", name),
      join(out, name),
      (name) => !/\.expected\.(?:md|txt)$/.test(name),
    );
  }
  if (mixed !== undefined) {
    const all = [...filesBelow(out)];
    for (const [kind, count] of Object.entries(MIXED)) {
      const paths = all.filter((path) => extname(path) === kind && !path.includes("/formats/"));
      for (let i = 0; i < count; i++) {
        const path = paths[Math.floor(i * paths.length / count)]!;
        const target = join(mixed, kind.slice(1), `${i} ${basename(path)}`);
        await Deno.mkdir(join(target, ".."), { recursive: true });
        await Deno.copyFile(path, target);
      }
    }
  }
} finally {
  await Deno.remove(work, { recursive: true });
}
console.log(`${out}: ${[...filesBelow(out)].length} files`);
