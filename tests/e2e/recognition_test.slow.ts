import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { modelsWithOcr } from "../documents/recognition/_language_data.ts";
import { sample } from "../documents/recognition/_samples.ts";
import { scanPdf } from "../documents/recognition/_scan_pdf.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox, smokeTest, type Start } from "./_program.ts";

/** A sandbox with a scanned PDF in English and a picture with Chinese text, and the command line that recognises them. */
async function scans(start?: Start): Promise<{ sandbox: Sandbox; flags: string[] } & AsyncDisposable> {
  const image = { dictionary: "/Width 620 /Height 125 /Filter /JPXDecode", data: sample("en.jp2") };
  const sandbox = await makeSandbox({
    "tea.md": "Green tea wants 80 degrees.\n",
    "contract.pdf": scanPdf([{ width: 595, height: 120 }], [image]),
    "move.png": sample("zh.png"),
  }, start && { start });
  sandbox.env["MUXUE_RAG_MODELS_DIR"] = await modelsWithOcr();
  const config = join(sandbox.cwd, "config.json");
  await Deno.writeTextFile(config, JSON.stringify({ language: "en", files: { ocr: "tesseract" } }));
  return {
    sandbox,
    flags: ["--dir", sandbox.folder, "--config", config],
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

smokeTest(
  "the text of a scanned PDF and of a picture is found, and marked as recognised text",
  async (start, t) => {
    await using work = await scans(start);
    const { sandbox, flags } = work;
    await t.step("indexing recognises the pages and counts them", async () => {
      const { code, stdout, stderr } = await sandbox.run`index ${flags}`;
      equal(code, 0, stderr);
      match(stdout, /Recognised text +2 pages\n/);
    });
    await t.step("status counts them", async () => {
      match((await sandbox.run`status ${flags}`).stdout, /Recognised text +2 pages\n/);
    });
    for (
      const [query, file, words] of [
        ["claims filed in writing within fourteen days", "contract.pdf", /Claims must be filed in writing/],
        ["数据中心搬迁 服务器", "move.png", /数据中心的搬迁工作在第四季度完成/],
      ] as const
    ) {
      await t.step(`a search finds ${file}`, async () => {
        const { stdout, stderr } = await sandbox.run`search ${query} ${flags}`;
        const [first = ""] = stdout.split(/\n(?=\s*2\b)/);
        match(first, words, stderr);
        match(first, /recognised text/);
        const { data } = JSON.parse((await sandbox.run`search ${query} ${flags} --json`).stdout);
        const [hit] = data.match_content;
        deepEqual([hit.file_path, hit.recognised], [join(sandbox.folder, file), true]);
      });
    }
    await t.step("a hit of an ordinary file has no mark", async () => {
      const { data } = JSON.parse((await sandbox.run`search ${"green tea"} ${flags} --json`).stdout);
      const [hit] = data.match_content;
      deepEqual([hit.file_path, hit.recognised], [join(sandbox.folder, "tea.md"), undefined]);
    });
    await t.step("extract prints the text", async () => {
      const scan = join(sandbox.folder, "contract.pdf");
      const { stdout } = await sandbox.run`extract ${scan} ${flags.slice(2)}`;
      match(stdout, /The warranty period begins on the day of acceptance/);
    });
  },
);

Deno.test("a server recognises scans in the background, also those that come later", async () => {
  await using work = await scans();
  const { sandbox, flags } = work;
  await using pipe = await openPipe(sandbox, flags);
  const isIn = (file: string) => (text: string) => {
    const hit = JSON.stringify(text).split(file)[1];
    return hit !== undefined && /recognised text/.test(hit);
  };
  await pipe.searchUntil("claims filed in writing", isIn("contract.pdf"));
  await Deno.writeFile(join(sandbox.folder, "fax.tif"), sample("pages.tif"));
  await pipe.searchUntil("保修期 type:tif", isIn("fax.tif"));
  const { code, stderr } = await pipe.end();
  equal(code, 0, stderr);
});
