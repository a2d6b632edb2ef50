import { join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A terminal for {@linkcode recorded}. */
interface Recording {
  /** The folder that the program's state is kept in. In the lines it has the path `shownTop`. */
  readonly top: string;
  readonly shownTop: string;
  readonly columns: number;
  /** The working folder; `top` by default. */
  readonly cwd?: string;
}

/** Returns the lines that the program prints to a terminal. Needs `script` of util-linux. */
export async function recorded(
  args: string,
  { top, shownTop, columns, cwd = top }: Recording,
): Promise<string[]> {
  const [, flags] = /\bdeno run (.*) "\$ROOT\/main\.ts"$/.exec(project.tasks.start.command)!;
  const run = `${Deno.execPath()} run ${flags} ${join(ROOT, "main.ts")} ${args} 2>/dev/null`;
  const { stdout } = await new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", `stty columns ${columns} && ${run}`, "/dev/null"],
    cwd,
    env: {
      TERM: "xterm-256color",
      NO_COLOR: "",
      FORCE_HYPERLINK: "0",
      MUXUE_RAG_STATE_DIR: join(top, "state"),
    },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout).replaceAll("\r", "").trimEnd()
    .replaceAll(`${top}/`, `${shownTop}/`).split("\n");
}
