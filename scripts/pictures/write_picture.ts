import { dirname } from "node:path";
import { svgLines } from "./terminal_svg.ts";

/** Returns a text without the times at the ends of lines, which differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replace(/[\d.]+ s$/gm, "");
}

/** Writes a picture of a terminal, unless only the times in it are new. */
export async function writePicture(path: string, drawn: string): Promise<void> {
  // The widths of the rows with times differ too.
  const rest = (svg: string) => svg.replace(/<text.*[\d.]+ s<\/tspan><\/text>/g, "");
  const text = (svg: string) => withoutTimes(svgLines(svg).join("\n"));
  const before = await Deno.readTextFile(path).catch(() => "");
  if (rest(drawn) === rest(before) && text(drawn) === text(before)) return;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, drawn);
}
