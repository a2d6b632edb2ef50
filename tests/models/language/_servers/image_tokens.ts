/** The tokens of pictures, as the documentations of the services say that they are counted. */
import { factsOf } from "#documents/pictures/facts.ts";
import type { AskedImage } from "./asked.ts";

/** Returns the tokens of a picture of a request. One that cannot be read counts nothing. */
export function imageTokens({ bytes }: AskedImage, provider: string): number {
  const { width = 0, height = 0 } = factsOf(bytes) ?? {};
  if (width === 0 || height === 0) return 0;
  switch (provider) {
    case "openai":
    case "azure":
      return openaiTiles(width, height);
    case "anthropic":
      return Math.round(width * height / 750);
    default:
      return qwenSquares(width, height);
  }
}

/** GPT-4o: into a square of 2,048, the shorter side down to 768, then 170 for each tile of 512 pixels, and 85. */
function openaiTiles(width: number, height: number): number {
  let [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  if (longer > 2048) [longer, shorter] = [2048, shorter * 2048 / longer];
  if (shorter > 768) [longer, shorter] = [longer * 768 / shorter, 768];
  let tiles = 0;
  for (let x = 0; x < longer; x += 512) for (let y = 0; y < shorter; y += 512) tiles++;
  return 85 + 170 * tiles;
}

/** Qwen2.5-VL: both sides to the next multiple of 28, a token for each square of 28 pixels, one before and one after them. */
function qwenSquares(width: number, height: number): number {
  const multiple = (side: number) => Math.max(1, Math.round(side / 28));
  return multiple(width) * multiple(height) + 2;
}
