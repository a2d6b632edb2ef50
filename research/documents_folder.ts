// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a folder of manuals for the questions in `examples/documents_questions.jsonl`. It copies HTML, PDF, EPUB and text
 * files from Debian packages, and converts some pages to office files with LibreOffice and pandoc.
 *
 *     deno run -A research/documents_folder.ts OUT
 *
 * Needs apt-get, dpkg-deb, gzip, soffice and pandoc. The questions are for the packages of Debian 12; other versions have
 * different page numbers.
 */
import { join } from "node:path";

/** Package -> its folders and files -> target path. */
const PACKAGES: Readonly<Record<string, readonly [from: string, to: string, only?: RegExp][]>> = {
  "debian-reference-zh-cn": [["debian-reference", "debian-reference", /\.zh-cn\.(?:html|pdf)$/]],
  "debian-reference-en": [["debian-reference", "debian-reference", /\.en\.(?:html|pdf)$/]],
  "maint-guide-zh-cn": [["doc/maint-guide-zh-cn", "maint-guide", /\.(?:html|pdf)$/]],
  "maint-guide": [["doc/maint-guide/html", "maint-guide-en", /(?:build|dother|update|upload)\.en\.html$/]],
  "git-doc": [["doc/git-doc", "git", /\.(?:html|txt)$/]],
  "debian-policy": [["doc/debian-policy", "policy", /\.(?:html|epub)$|policy\.pdf\.gz$|fhs-3\.0\.pdf\.gz$/]],
  "debian-handbook": [
    ["doc/debian-handbook/html/en-US", "handbook/en", /\.html$/],
    ["doc/debian-handbook/html/zh-CN", "handbook/zh", /\.html$/],
  ],
};

const WRITER = ["--infilter=HTML (StarWriter)", "--convert-to"];
/** Pages that are kept only as office files; the HTML files are removed. */
const OFFICE: readonly [page: string, command: string, ...args: string[]][] = [
  ["maint-guide-en/build.en.html", "soffice", "--headless", ...WRITER, "docx:MS Word 2007 XML"],
  ["maint-guide-en/dother.en.html", "soffice", "--headless", ...WRITER, "docx:MS Word 2007 XML"],
  ["maint-guide-en/update.en.html", "soffice", "--headless", ...WRITER, "odt:writer8"],
  ["handbook/zh/sect.backup.html", "soffice", "--headless", ...WRITER, "docx:MS Word 2007 XML"],
  [
    "debian-reference/ch02.en.html",
    "soffice",
    "--headless",
    "--infilter=HTML (StarCalc)",
    "--convert-to",
    "xlsx:Calc MS Excel 2007 XML",
  ],
  ["maint-guide-en/upload.en.html", "pandoc"],
];

/** Returns the full paths of the files in a folder and its subfolders. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else if (isFile) yield path;
  }
}

async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, cwd, stdout: "null" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

const [out] = Deno.args;
if (out === undefined) {
  console.error("usage: documents_folder.ts OUT");
  Deno.exit(2);
}
await Deno.mkdir(out, { recursive: true });
const work = await Deno.makeTempDir();
await run(work, "apt-get", "download", ...Object.keys(PACKAGES));
for await (const { name } of Deno.readDir(work)) {
  const parts = PACKAGES[name.slice(0, name.indexOf("_"))];
  if (parts === undefined) continue;
  const content = join(work, "content", name);
  await Deno.mkdir(content, { recursive: true });
  await run(work, "dpkg-deb", "-x", name, content);
  for (const [from, to, only] of parts) {
    const top = join(content, "usr/share", from);
    for await (const path of filesBelow(top)) {
      if (only !== undefined && !only.test(path)) continue;
      const target = join(out, to, path.slice(top.length + 1));
      await Deno.mkdir(join(target, ".."), { recursive: true });
      await Deno.copyFile(path, target);
      if (target.endsWith(".gz")) await run(".", "gzip", "-df", target);
    }
  }
}
for (const [page, command, ...args] of OFFICE) {
  const path = join(out, page);
  if (command === "pandoc") await run(".", command, path, "-o", path.replace(/html$/, "pptx"));
  else await run(".", command, ...args, "--outdir", join(path, ".."), path);
  await Deno.remove(path);
}
await Deno.remove(work, { recursive: true });
console.log(out);
