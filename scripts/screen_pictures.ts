/**
 * Draws the pictures of a terminal in the page of the guide about searching: hits at several widths, in both languages, in light
 * and dark. It searches a copy of `examples/notes`. Needs `script` of util-linux.
 *
 *     deno run -A scripts/screen_pictures.ts
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFolder } from "./copy_folder.ts";
import { recorded } from "./pictures/recorded.ts";
import { terminalSvg, THEMES } from "./pictures/terminal_svg.ts";
import { writePicture } from "./pictures/write_picture.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Widths of the terminals, in columns. */
export const WIDTHS = [60, 80, 140] as const;

/** The search of each language, and the description of its pictures. */
export const SEARCHES = {
  en: {
    query: "who rotates the signing keys",
    title: "Hits of a search in a terminal",
  },
  zh: { query: "违约金怎么算", title: "终端里的检索结果" },
} as const;

/** Path of a picture in the repository. */
export function screenPicture(language: keyof typeof SEARCHES, columns: number, theme: string): string {
  return `examples/pictures/hits.${language}.${columns}.${theme}.svg`;
}

/** The lines of the pictures of one language, for a terminal of so many columns. */
export interface Screen {
  readonly language: keyof typeof SEARCHES;
  readonly columns: number;
  readonly lines: readonly string[];
}

/** Searches in both languages, at every width. */
export async function screens(): Promise<Screen[]> {
  const top = await Deno.realPath(await Deno.makeTempDir());
  try {
    const cwd = join(top, "notes");
    await copyFolder(join(ROOT, "examples", "notes"), cwd);
    const recording = { top, shownTop: "/home/me", cwd };
    await recorded(`index --quiet`, { ...recording, columns: WIDTHS[0] });
    const all: Screen[] = [];
    for (const language of ["en", "zh"] as const) {
      const { query } = SEARCHES[language];
      for (const columns of WIDTHS) {
        const found = await recorded(`search "${query}" --language ${language}`, { ...recording, columns });
        all.push({
          language,
          columns,
          lines: [`\u001b[32m$\u001b[39m muxue_rag search "${query}"`, ...found],
        });
      }
    }
    return all;
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

if (import.meta.main) {
  for (const { language, columns, lines } of await screens()) {
    for (const theme of Object.keys(THEMES) as (keyof typeof THEMES)[]) {
      const drawn = terminalSvg(lines, { title: SEARCHES[language].title, theme, columns });
      await writePicture(join(ROOT, screenPicture(language, columns, theme)), drawn);
    }
  }
}
