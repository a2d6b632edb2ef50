/**
 * Draws the pictures of the READMEs. It runs the searches of a README on a copy of the guide, in a terminal, and draws the
 * output. Needs `script` of util-linux.
 *
 *     deno run -A scripts/readme_pictures.ts
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFolder } from "./copy_folder.ts";
import { recorded } from "./pictures/recorded.ts";
import { terminalSvg } from "./pictures/terminal_svg.ts";
import { writePicture } from "./pictures/write_picture.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** A README, its picture, and the picture's description. */
export const PICTURES = {
  en: {
    readme: "README.md",
    picture: "examples/pictures/search.en.svg",
    title: "muxue_rag answers two questions about its guide in a terminal",
  },
  zh: {
    readme: "README.zh-CN.md",
    picture: "examples/pictures/search.zh.svg",
    title: "muxue_rag 在终端里回答关于用户手册的两个问题",
  },
} as const;

/** Returns the arguments of the searches in the shell blocks of a README, as they are written there. */
export function picturedSearches(readme: string): string[] {
  return [...readme.matchAll(/^npx -y deno@[\d.]+ task -q start (search .* --dir examples\/docs\b.*)$/gm)]
    .map(([, args = ""]) => args);
}

/** Columns of the terminal in the pictures. */
const COLUMNS = 100;

/** Returns the lines of the picture of a README: its searches on a copy of the guide, each with the output in a terminal. */
export async function picturedLines(readme: string): Promise<string[]> {
  const top = await Deno.realPath(await Deno.makeTempDir());
  try {
    await copyFolder(join(ROOT, "examples", "docs"), join(top, "examples", "docs"));
    const lines: string[] = [];
    for (const args of picturedSearches(readme)) {
      if (lines.length > 0) lines.push("");
      lines.push(
        `\u001b[32m$\u001b[39m muxue_rag ${args}`,
        ...await recorded(args, { top, shownTop: "/home/me/muxue_rag", columns: COLUMNS }),
      );
    }
    return lines;
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

if (import.meta.main) {
  for (const { readme, picture, title } of Object.values(PICTURES)) {
    const lines = await picturedLines(await Deno.readTextFile(join(ROOT, readme)));
    await writePicture(join(ROOT, picture), terminalSvg(lines, { title }));
  }
}
