import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { filesBelow } from "./files.ts";
import type { Language, Passage, Source } from "./types.ts";

const FOLDERS: Readonly<Record<Language, string>> = { en: "", zh: "zh_CN", tw: "zh_TW" };
const NAME = /^(NAME|名称|名字|名稱)$/i;
const SYNOPSIS =
  /^(SYNOPSIS|LIBRARY|总览.*|概述.*|概要.*|摘要.*|語法.*|总揽.*|總覽.*|語法.*|库|用法|提要.*|大纲.*)$/i;

/** Manual pages: the line below "NAME" asks for the text after the synopsis. */
export const MAN_PAGES: Source = {
  name: "manual",
  packages: ["manpages", "manpages-dev", "manpages-zh"],
  async passages(root) {
    const passages: Passage[] = [];
    for (const [language, folder] of Object.entries(FOLDERS) as [Language, string][]) {
      for (const path of await filesBelow(join(root, "usr/share/man", folder))) {
        if (language === "en" && /\/zh_/.test(path)) continue;
        if (!path.endsWith(".gz")) continue;
        const page = pageOf(gunzipSync(await Deno.readFile(path)).toString());
        const id = `${basename(dirname(path))}/${basename(path, ".gz")}`;
        if (page !== undefined) passages.push({ id, language, ...page });
      }
    }
    return passages;
  },
};

function pageOf(roff: string): { question: string; text: string } | undefined {
  const [, ...sections] = roff.split(/^\.S[Hh] +/m);
  const read = sections.map((section) => {
    const end = section.indexOf("\n");
    return { name: plain(section.slice(0, end)).replaceAll('"', ""), text: plain(section.slice(end + 1)) };
  });
  const line = read.find(({ name }) => NAME.test(name))?.text.replace(/\s+/g, " ");
  const [, question] = line?.match(/^.*? (?:-|--|—|–) (.+)$/) ?? [];
  if (question === undefined) return undefined;
  const rest = read.filter(({ name }) => !NAME.test(name) && !SYNOPSIS.test(name));
  return { question, text: rest.map(({ text }) => text).join("\n") };
}

/** Requests that begin a line of the text. Other lines continue the one before. */
const BREAKS = /^\.(TP|TQ|IP|PP|LP|P|HP|sp|br|SS|RS|RE|nf|fi|EX|EE|TS|TE)\b.*$/gm;
const IGNORED = /^\.(in|ft|ad|na|hy|if|ie|el|ne|ta|UE|de|ds|so)\b.*$/gm;

/** Returns the text of roff source without its requests and escapes, one line for each paragraph. */
function plain(roff: string): string {
  return roff
    .replace(/^['.]\\".*$/gm, "")
    .replace(BREAKS, "\0")
    .replace(IGNORED, "")
    .replace(/^\.(?:BR|RB|BI|IB|IR|RI) (.*)$/gm, (_, words: string) => words.replace(/"([^"]*)"|\s+/g, "$1"))
    .replace(/^\.[A-Za-z]+ ?(.*)$/gm, (_, words: string) => words.replaceAll('"', ""))
    .replace(/\\f(?:\(..|\[[^\]]*\]|.)/g, "")
    .replace(/\\s[+-]?\d+/g, "")
    .replace(/\\\((?:em|en)/g, "-")
    .replace(/\\\((?:aq|cq|oq)/g, "'")
    .replace(/\\(?:\(..|\[[^\]]*\])/g, "")
    .replace(/\\[&,/|^%:c]/g, "").replace(/\\e/g, "\\").replace(/\\(.)/g, "$1")
    .replace(/\s*\0\s*/g, "\0").replace(/\s+/g, " ").replaceAll("\0", "\n").trim();
}
