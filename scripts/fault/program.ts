import { join } from "node:path";
import { startFlags } from "../compile/start_flags.ts";
import type { Arena } from "./arena.ts";

/** How the program is run. */
export interface ProgramOptions {
  /** Path of an executable of the program; without it the sources run. */
  readonly executable?: string | undefined;
  /** A command that runs the program, such as `strace` with its flags. */
  readonly by?: readonly string[];
}

/** How a run ended. `text`: what it wrote. */
export interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly text: string;
}

/** Runs the program to its end, with the state folder of the arena. */
export async function runProgram(
  arena: Arena,
  args: readonly string[],
  { executable, by = [] }: ProgramOptions = {},
): Promise<Ended> {
  const main = join(import.meta.dirname!, "../../main.ts");
  const start = executable === undefined ? [Deno.execPath(), "run", ...startFlags(), main] : [executable];
  const [command, ...rest] = [...by, ...start, ...args];
  const { code, signal, stdout, stderr } = await new Deno.Command(command!, {
    args: rest,
    env: {
      DENO_NO_UPDATE_CHECK: "1",
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_STATE_DIR: arena.stateDir,
      MUXUE_RAG_CONFIG_DIR: join(arena.path, "settings"),
      MUXUE_RAG_EMBEDDING_PROVIDER: "none",
    },
    stdin: "null",
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, signal, text: `${out}${error}` };
}
