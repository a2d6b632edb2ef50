import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { readBuildInfo } from "./build_info.ts";

/** `--version`: the version alone, or with `--json` what it was built from and runs on as well. */
export async function version({ io, flags, version }: Context): Promise<number> {
  if (!flags.json) {
    await io.out(`muxue_rag ${version}\n`);
    return EXIT.done;
  }
  const { deno, v8 } = Deno.version;
  const details = {
    name: "muxue_rag",
    version,
    ...await readBuildInfo(),
    deno,
    v8,
    target: Deno.build.target,
  };
  await io.out(`${JSON.stringify(details)}\n`);
  return EXIT.done;
}
