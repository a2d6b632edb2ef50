/**
 * Minifies the modules in the folders that are named, in place. The bundler's own minifier removes the disposal of `using`
 * variables that are used once (evanw/esbuild#4482); this version does not.
 */
import { join } from "node:path";
import { stop, transform } from "esbuild";

for (const folder of Deno.args) {
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js")) continue;
    const path = join(folder, name);
    const { code } = await transform(await Deno.readTextFile(path), {
      minify: true,
      format: "esm",
      target: "esnext",
      legalComments: "none",
    });
    await Deno.writeTextFile(path, code);
  }
}
await stop();
