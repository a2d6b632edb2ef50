/** The pictures of a PDF in MuPDF's list of drawing calls. */
import { output, type TruePicture } from "./truth.ts";

/** Seconds for a file. */
const LONGEST = "60";

/** Returns the pictures that are drawn, without masks of other pictures and without those in glyphs of fonts. */
export async function picturesInPdf(path: string): Promise<TruePicture[]> {
  const trace = await output("timeout", LONGEST, "mutool", "trace", path);
  if (trace === undefined) throw new Error("mutool cannot read it");
  const found: TruePicture[] = [];
  let page = 0, masks = 0;
  let mask: string | undefined;
  for (const [, call, attributes] of new TextDecoder().decode(trace).matchAll(/<(\/?\w+)([^>]*)>/g)) {
    if (call === "page") [page, masks] = [page + 1, 0];
    else if (call === "begin_mask") masks++;
    else if (call === "end_mask") masks = Math.max(0, masks - 1);
    if (!/^(?:fill_image|fill_image_mask|clip_image_mask)$/.test(call!) || masks > 0) continue;
    const picture = pictureOf(page, attributes!);
    const place = /transform="([^"]*)"/.exec(attributes!)![1];
    // The mask of a picture comes before it.
    if (call === "clip_image_mask") mask = place;
    else {
      if (mask !== undefined && mask !== place) mask = undefined;
      found.push(picture);
      mask = undefined;
    }
  }
  return found;
}

function pictureOf(page: number, attributes: string): TruePicture {
  const number = (name: string) => Number(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]);
  const [a, b, c, d, e, f] = /transform="([^"]*)"/.exec(attributes)![1]!.split(" ").map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const xs = [e, e + a, e + c, e + a + c], ys = [f, f + b, f + d, f + b + d];
  const left = Math.min(...xs), top = Math.min(...ys);
  return {
    page,
    width: number("width"),
    height: number("height"),
    box: { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top },
  };
}
