/**
 * Draws the pictures of the READMEs. It runs the searches of a README on a copy of the guide, in a terminal, and draws the
 * output. Needs `script` of util-linux.
 *
 *     deno run -A scripts/readme_pictures.ts
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../deno.json" with { type: "json" };
import { svgLines, terminalSvg } from "./pictures/terminal_svg.ts";

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
  return [...readme.matchAll(/^npx -y deno@[\d.]+ task start (search .* --dir examples\/docs\b.*)$/gm)]
    .map(([, args = ""]) => args);
}

/** Returns a text without the times at the ends of lines, which differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replace(/[\d.]+ s$/gm, "");
}

/** Columns of the terminal in the pictures. */
const COLUMNS = 100;

/** Returns the lines that the program prints to a terminal. The folder of the guide has the name that it has in a clone. */
async function recorded(args: string, top: string): Promise<string[]> {
  const [, flags] = /\bdeno run (.*) "\$ROOT\/main\.ts"$/.exec(project.tasks.start.command)!;
  const line = `stty columns ${COLUMNS} && ${Deno.execPath()} run ${flags} ${
    join(ROOT, "main.ts")
  } ${args} 2>/dev/null`;
  const { stdout } = await new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", line, "/dev/null"],
    cwd: top,
    env: {
      TERM: "xterm-256color",
      NO_COLOR: "",
      FORCE_HYPERLINK: "0",
      MUXUE_RAG_STATE_DIR: join(top, "state"),
    },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout).replaceAll("\r", "").trimEnd()
    .replaceAll(`${top}/`, "/home/me/muxue_rag/").split("\n");
}

/** Returns the lines of the picture of a README: its searches on a copy of the guide, each with the output in a terminal. */
export async function picturedLines(readme: string): Promise<string[]> {
  const top = await Deno.realPath(await Deno.makeTempDir());
  try {
    await copyGuide(join(ROOT, "examples", "docs"), join(top, "examples", "docs"));
    const lines: string[] = [];
    for (const args of picturedSearches(readme)) {
      if (lines.length > 0) lines.push("");
      lines.push(`\u001b[32m$\u001b[39m muxue_rag ${args}`, ...await recorded(args, top));
    }
    return lines;
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

if (import.meta.main) {
  for (const { readme, picture, title } of Object.values(PICTURES)) {
    const drawn = terminalSvg(await picturedLines(await Deno.readTextFile(join(ROOT, readme))), title);
    const before = await Deno.readTextFile(join(ROOT, picture)).catch(() => "");
    // The picture stays if only the times differ.
    if (withoutTimes(svgLines(drawn).join("\n")) === withoutTimes(svgLines(before).join("\n"))) continue;
    await Deno.mkdir(dirname(join(ROOT, picture)), { recursive: true });
    await Deno.writeTextFile(join(ROOT, picture), drawn);
  }
}

async function copyGuide(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name.startsWith(".")) continue;
    if (isDirectory) await copyGuide(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
