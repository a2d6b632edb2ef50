/**
 * Draws the scanned pages of tests/documents/recognition/samples/ with ImageMagick (`convert`) and the font Noto Serif CJK, which
 * Debian has as `imagemagick` and `fonts-noto-cjk`.
 *
 *     deno run -A scripts/recognition_samples.ts
 */
import { join } from "node:path";
import { PAGES } from "../tests/documents/recognition/samples/pages.ts";

const FONT = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc";
const folder = join(import.meta.dirname!, "..", "tests", "documents", "recognition", "samples");
const at = (name: string) => join(folder, name);

for (const [name, lines] of Object.entries(PAGES)) {
  const texts = lines.flatMap((line, i) => ["-annotate", `+40+${70 + 70 * i}`, line]);
  await convert(
    ...["-size", `1240x${70 * lines.length + 40}`, "xc:white", "-font", FONT, "-pointsize", "42", ...texts],
    ...["-colorspace", "Gray", "-threshold", "50%", "-strip"],
    ...["-define", "png:bit-depth=1", "-define", "png:color-type=0", at(`${name}.png`)],
  );
}
await convert(at("zh.png"), at("en.png"), "-strip", "-compress", "Group4", at("pages.tif"));
await convert(at("en.png"), "-strip", "-resize", "50%", "-quality", "30", at("en.jp2"));
await convert(at("en.png"), "-strip", "-resize", "60%", "-rotate", "-90", "-quality", "40", at("turned.jpg"));

async function convert(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("convert", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
