import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";

/** `--version`: the version alone, or with `--json` what it runs on as well. */
export async function version({ io, flags, version }: Context): Promise<number> {
  const { deno, v8 } = Deno.version;
  const details = { name: "muxue_rag", version, deno, v8, target: Deno.build.target };
  await io.out(flags.json ? `${JSON.stringify(details)}\n` : `muxue_rag ${version}\n`);
  return EXIT.done;
}
