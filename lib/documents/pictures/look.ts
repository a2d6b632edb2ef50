/** Whether a picture is blank, a photo or a drawing, by its colours alone. */
import type { Look, Pixels } from "./types.ts";

/** Part of the pixels that have the colour of a blank picture: a line of text in it takes more of the others. */
const BLANK = 0.999;
/** Colours of 4,096 that a photo has at least, and the part of its pixels that the most frequent one has at most. */
const PHOTO_COLOURS = 100, PHOTO_SHARE = 0.25;

/** Returns the look of a picture, of which a small copy of about 256 pixels a side suffices. */
export function lookOf({ channels, data }: Pixels): Look {
  const counts = new Map<number, number>();
  const colours = Math.min(3, channels);
  for (let at = 0; at < data.length; at += channels) {
    // Whatever is transparent is seen as white.
    const alpha = channels === 4 ? data[at + 3]! / 255 : 1;
    let colour = 0;
    for (let c = 0; c < colours; c++) colour = colour << 4 | (255 - (255 - data[at + c]!) * alpha) >> 4;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const most = [...counts.values()].reduce((most, count) => Math.max(most, count), 0) /
    (data.length / channels);
  if (most >= BLANK) return "blank";
  return counts.size >= PHOTO_COLOURS && most <= PHOTO_SHARE ? "photo" : "drawing";
}
