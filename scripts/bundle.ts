// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a release from the executables that `deno task compile` has made: archives, MCP bundles, npm packages, install
 * scripts, and the files for Homebrew, Scoop, winget, Docker and the MCP registry.
 *
 * `deno task bundle [--repository OWNER/NAME] [--from DIR] [--out DIR]`
 *
 * The default of `--from` is `dist/bin`, that of `--out` is `dist/release`. The contents of the output folder are removed
 * first. `SOURCE_DATE_EPOCH` sets the time of the files.
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NO_REPOSITORY } from "./bundle/product.ts";
import { readRelease } from "./bundle/read_release.ts";
import { makeRelease } from "./bundle/release.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    repository: { type: "string" },
    from: { type: "string", default: join(ROOT, "dist/bin") },
    out: { type: "string", default: join(ROOT, "dist/release") },
  },
});
const from = resolve(options.from);
const out = resolve(options.out);

const release = await readRelease(from, options.repository);
if (release.executables.length === 0) {
  console.error(
    `No executable of version ${
      release.values["version"]
    } in ${from}. Run deno task compile first, without --out`,
  );
  Deno.exit(1);
}

await Deno.remove(out, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const leftOut = await makeRelease(release, async ({ path, content }) => {
  const file = join(out, path);
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeFile(file, content);
  console.log(
    `${file}  ${content.length < 1e5 ? `${content.length} B` : `${(content.length / 1e6).toFixed(1)} MB`}`,
  );
});
for (const { path, missing } of leftOut) console.log(`Left out ${path}: it needs ${missing}`);
if (release.values["repository"] === NO_REPOSITORY) {
  console.log(
    `Do not publish this release: its addresses name ${NO_REPOSITORY}. Run again with --repository OWNER/NAME.`,
  );
}
