import { dirname } from "node:path";
import { svgLines } from "./terminal_svg.ts";

/** Returns a text without the times at the ends of lines, which differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replace(/[\d.]+ s$/gm, "");
}

/** Writes a picture of a terminal, unless only the times in it are new. */
export async function writePicture(path: string, drawn: string): Promise<void> {
  const textOf = (svg: string) =>
    withoutTimes(svgLines(svg).join("\n")) + svg.replace(/<text.*<\/text>/gs, "");
  const before = await Deno.readTextFile(path).catch(() => "");
  if (textOf(drawn) === textOf(before)) return;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, drawn);
}
