/**
 * Makes a picture small enough to be given: scaled down, as PNG or JPEG.
 * Below it: the decoders, scaling, and the encoders.
 */
import { crc32, deflateSync } from "node:zlib";
import { bytesOf, joinedBytes } from "../bytes.ts";
import { DocumentError, kept, viewOf } from "../types.ts";
import { factsOf, jpegColours, orientationOf, READABLE, SHOWN } from "./facts.ts";
import { PNG_SIGNATURE, pngChunks } from "./picture_parts.ts";
import type { GivenPicture, Look, Pixels } from "./types.ts";
import { MOST_PIXELS, openWithPdfium } from "../pdfium/pdfium.ts";

/** The largest picture that is wanted: pixels of its longer side, and bytes. */
export interface PictureLimit {
  readonly side: number;
  readonly bytes: number;
  /** Whether the picture is made anew from its pixels, however small it is. */
  readonly isPlain?: true;
}

/** A picture to be given, with its bytes. */
export interface FittedPicture extends Omit<GivenPicture, "size"> {
  /** Of a picture that is made anew. No bytes are given of one that is blank. */
  readonly look?: Look;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the file of a picture as it is if it is within the limit, or a smaller copy. Only PNG and JPEG are made smaller: of the
 * others, those of few bytes are given in any size. All that can be read are made anew. Throws {@linkcode DocumentError}.
 */
export async function fittedFile(bytes: Uint8Array, limit: PictureLimit): Promise<FittedPicture> {
  const facts = factsOf(bytes);
  if (facts === undefined) throw new DocumentError("damaged", "it is not a picture");
  const { mediaType, width = 0, height = 0 } = facts;
  const possible = limit.isPlain ? READABLE : SHOWN;
  if (!possible.has(mediaType)) throw new DocumentError("unsupported", `${mediaType} is not shown`);
  const isScalable = mediaType === "image/png" || mediaType === "image/jpeg";
  const isSmall = !limit.isPlain && bytes.length <= limit.bytes &&
    (!isScalable || Math.max(width, height) <= limit.side);
  if (isSmall) {
    // A buffer of Node is a subclass that does not copy when it is cut.
    return { mediaType, width, height, bytes: Uint8Array.from(bytes) };
  }
  if (width * height > MOST_PIXELS) {
    throw new DocumentError("too_complex", `the picture has ${width} × ${height} pixels`);
  }
  if (mediaType === "image/png") return fittedPixels(await pngPixels(bytes), limit);
  if (mediaType === "image/jpeg") {
    return fittedPixels(await jpegPixels(bytes, width, height, limit.side), limit, width);
  }
  if (limit.isPlain) {
    const { imagePixels } = await import("../recognition/image_pixels.ts");
    return fittedPixels(await imagePixels(bytes), limit);
  }
  throw new DocumentError(
    "too_complex",
    `${mediaType} of ${width} × ${height} pixels and ${bytes.length} bytes`,
  );
}

/** Bytes of a PNG above which a JPEG is tried. */
const LARGE = 300_000;
/** Qualities of a JPEG, and the factor by which a picture is made smaller when none of them suffices. */
const QUALITIES = [85, 60];
const SMALLER = 0.7;
/** Pixels of the longer side of the copy whose colours are counted. */
const LOOK_SIDE = 256;

/** Returns pixels as a file within the limit. `width`: that of the picture, if the pixels are already fewer. */
export async function fittedPixels(
  pixels: Pixels,
  limit: PictureLimit,
  width: number = pixels.width,
): Promise<FittedPicture> {
  let side = Math.min(limit.side, Math.max(pixels.width, pixels.height));
  const look = limit.isPlain && lookOf(scaledTo(pixels, LOOK_SIDE));
  if (look === "blank") return { mediaType: "image/png", look, bytes: new Uint8Array() };
  for (;;) {
    const small = scaledTo(pixels, side);
    const file = await encoded(small, limit.bytes);
    if (file !== undefined) {
      const isScaled = small.width < width ? { isScaled: true as const } : {};
      return { ...file, width: small.width, height: small.height, ...isScaled, ...(look && { look }) };
    }
    if (side <= 16) throw new DocumentError("too_complex", `the picture has more than ${limit.bytes} bytes`);
    side = Math.floor(side * SMALLER);
  }
}

/** Part of the pixels that have the colour of a blank picture: a line of text in it takes more of the others. */
const BLANK = 0.999;
/** Colours of 4,096 that a photo has at least, and the part of its pixels that the most frequent one has at most. */
const PHOTO_COLOURS = 100, PHOTO_SHARE = 0.25;

/** Returns the look of a picture, of which a small copy of about 256 pixels a side suffices. */
function lookOf({ channels, data }: Pixels): Look {
  const counts = new Map<number, number>();
  const colours = Math.min(3, channels);
  for (let at = 0; at < data.length; at += channels) {
    // A transparent pixel is seen as white.
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

/** Returns pixels as PNG, or as JPEG if that is smaller; `undefined` if both have more than `most` bytes. */
async function encoded(
  pixels: Pixels,
  most: number,
): Promise<{ mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined> {
  const png = pngFile(pixels);
  if (png.length <= Math.min(most, LARGE)) return { mediaType: "image/png", bytes: png };
  const jpeg = await jpegFile(pixels, QUALITIES[0]!);
  if (jpeg.length < png.length && jpeg.length <= most) return { mediaType: "image/jpeg", bytes: jpeg };
  if (png.length <= most) return { mediaType: "image/png", bytes: png };
  const rough = await jpegFile(pixels, QUALITIES[1]!);
  return rough.length <= most ? { mediaType: "image/jpeg", bytes: rough } : undefined;
}

/** Returns the pixels of a PNG. Throws {@linkcode DocumentError} `damaged`. */
async function pngPixels(bytes: Uint8Array): Promise<Pixels> {
  const { decode, convertIndexedToRgb } = await import("fast-png");
  const { Unzlib } = await import("fflate");
  try {
    const png = decode(pixelChunks(bytes, Unzlib));
    const { width, height } = png;
    if (png.palette !== undefined) {
      const data = Uint8Array.from(convertIndexedToRgb(png));
      return { width, height, channels: data.length === 4 * width * height ? 4 : 3, data };
    }
    const samples = samplesOf(png.data, png.depth, width * png.channels, height);
    const opaque = { 1: 1, 2: 4, 3: 3, 4: 4 }[png.channels] as Pixels["channels"];
    return { width, height, channels: opaque, data: png.channels === 2 ? withColours(samples) : samples };
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError("damaged", "the PNG cannot be read", { cause });
  }
}

/** The chunks that pixels need. The library would unpack others too, such as a colour profile, to any size. */
const PIXEL_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
/** Samples of a pixel by the type of colours. */
const SAMPLES = [1, 0, 3, 1, 2, 0, 4];
/** Packed bytes that are unpacked at once. Deflate makes at most 1,032 times as many of them. */
const STEP = 16_384;

/** Returns a PNG with only what its pixels need, which unpack to no more than the size in its header. */
function pixelChunks(bytes: Uint8Array, Unzlib: typeof import("fflate").Unzlib): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  const chunks = new Map<string, Uint8Array[]>();
  for (const { type, content } of pngChunks(bytes)) {
    if (PIXEL_CHUNKS.has(type)) kept(chunks, type, () => []).push(content);
    if (type === "IEND") break;
  }
  const data = chunks.get("IDAT") ?? [];
  const packed = joinedBytes(data);
  const [width, height, depth, colours] = [view.getUint32(16), view.getUint32(20), bytes[24]!, bytes[25]!];
  const stride = Math.ceil(width * depth * (SAMPLES[colours] ?? 0) / 8);
  // An interlaced picture has up to two rows for each, with a byte for the filter and one that is not full.
  const most = height * (stride + 4) + 64;
  let size = 0;
  const inflator = new Unzlib((part) => {
    size += part.length;
    if (size > most) throw new DocumentError("too_complex", "the PNG unpacks to more than its size");
  });
  for (let at = 0; at < packed.length; at += STEP) inflator.push(packed.subarray(at, at + STEP));
  const parts = [
    SIGNATURE,
    ...Array.from(chunks, ([type, [first]]) => pngChunk(type, type === "IDAT" ? packed : first!)),
  ];
  return joinedBytes(parts);
}

/** Returns samples of 1, 2, 4, 8 or 16 bits as bytes. Rows begin at whole bytes. */
function samplesOf(
  data: ArrayLike<number>,
  depth: number,
  across: number,
  down: number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(across * down);
  if (depth >= 8) {
    for (let i = 0; i < out.length; i++) out[i] = depth === 16 ? data[i]! >> 8 : data[i]!;
    return out;
  }
  const stride = Math.ceil(across * depth / 8), most = 2 ** depth - 1;
  for (let y = 0, to = 0; y < down; y++) {
    for (let x = 0; x < across; x++, to++) {
      const bit = x * depth;
      const sample = data[y * stride + (bit >> 3)]! >> (8 - depth - (bit & 7)) & most;
      out[to] = sample * 255 / most;
    }
  }
  return out;
}

/** Returns grey and opacity as RGB and opacity. */
function withColours(samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(samples.length * 2);
  for (let from = 0, to = 0; from < samples.length; from += 2, to += 4) {
    out[to] = out[to + 1] = out[to + 2] = samples[from]!;
    out[to + 3] = samples[from + 1]!;
  }
  return out;
}

/** Returns a JPEG in at most `side` pixels, upright. PDFium reads it as the only picture of a PDF. */
async function jpegPixels(bytes: Uint8Array, width: number, height: number, side: number): Promise<Pixels> {
  const scale = Math.min(1, side / Math.max(width, height));
  const size = [width, height].map((one) => Math.max(1, Math.round(one * scale))) as [number, number];
  const pdf = await openWithPdfium(pdfOfJpeg(bytes, width, height));
  using page = pdf.page(1);
  const turns = ({ 3: 2, 6: 1, 8: 3 } as Record<number, 1 | 2 | 3>)[orientationOf(bytes)] ?? 0;
  return turns % 2 === 0 ? page.render(...size, turns) : page.render(size[1], size[0], turns);
}

/** Returns a PDF with one page that a JPEG fills. */
function pdfOfJpeg(jpeg: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const colours = jpegColours(jpeg);
  const space = { 1: "/DeviceGray", 4: "/DeviceCMYK" }[colours] ?? "/DeviceRGB";
  // Programs of Adobe store the inks inverted.
  const inverted = colours === 4 ? "/Decode [1 0 1 0 1 0 1 0]" : "";
  // A page has at most 14,400 points.
  const scale = Math.min(1, 14_400 / Math.max(width, height));
  const [across, down] = [width * scale, height * scale];
  const content = `${across} 0 0 ${down} 0 0 cm /I Do`;
  const objects: (string | Uint8Array)[][] = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${down}]`,
      " /Resources << /XObject << /I 5 0 R >> >> /Contents 4 0 R >>",
    ],
    [`<< /Length ${content.length} >> stream\n${content}\nendstream`],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`,
      ` /ColorSpace ${space} ${inverted} /Filter /DCTDecode /Length ${jpeg.length} >> stream\n`,
      jpeg,
      "\nendstream",
    ],
  ];
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add("%PDF-1.4\n");
  for (const [i, object] of objects.entries()) {
    offsets.push(length);
    for (const part of [`${i + 1} 0 obj\n`, ...object, "\nendobj\n"]) add(part);
  }
  const table = length;
  add(`xref\n0 6\n0000000000 65535 f \n`);
  for (const offset of offsets) add(`${String(offset).padStart(10, "0")} 00000 n \n`);
  add(`trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return joinedBytes(parts);
}

/** Returns pixels scaled down to `side` on the longer side. Each pixel is the mean of those that it stands for. */
function scaledTo(pixels: Pixels, side: number): Pixels {
  const { channels, data } = pixels;
  const scale = side / Math.max(pixels.width, pixels.height);
  if (scale >= 1) return pixels;
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  const out = new Uint8Array(width * height * channels);
  const sums = new Float64Array(channels);
  for (let y = 0, to = 0; y < height; y++) {
    const top = Math.floor(y * pixels.height / height);
    const bottom = Math.max(top + 1, Math.floor((y + 1) * pixels.height / height));
    for (let x = 0; x < width; x++) {
      const left = Math.floor(x * pixels.width / width);
      const right = Math.max(left + 1, Math.floor((x + 1) * pixels.width / width));
      sums.fill(0);
      for (let row = top; row < bottom; row++) {
        let from = (row * pixels.width + left) * channels;
        for (let column = left; column < right; column++) {
          for (let c = 0; c < channels; c++) sums[c]! += data[from++]!;
        }
      }
      const count = (bottom - top) * (right - left);
      for (let c = 0; c < channels; c++) out[to++] = Math.round(sums[c]! / count);
    }
  }
  return { width, height, channels, data: out };
}

/** The first bytes of a PNG. */
const SIGNATURE = bytesOf(PNG_SIGNATURE);

/** Returns pixels as a PNG, in grey if they have no other colour. */
function pngFile(pixels: Pixels): Uint8Array<ArrayBuffer> {
  const { width, height, channels, data } = greyIfPossible(pixels);
  const stride = width * channels;
  // Each row begins with the number of its filter: 0, none.
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const head = new Uint8Array(13);
  const view = viewOf(head);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([8, { 1: 0, 3: 2, 4: 6 }[channels]], 8);
  const parts = [
    SIGNATURE,
    pngChunk("IHDR", head),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", new Uint8Array()),
  ];
  return joinedBytes(parts);
}

function greyIfPossible(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels;
  if (channels !== 3) return pixels;
  const grey = new Uint8Array(width * height);
  for (let from = 0, to = 0; to < grey.length; from += 3, to++) {
    const value = data[from]!;
    if (data[from + 1] !== value || data[from + 2] !== value) return pixels;
    grey[to] = value;
  }
  return { width, height, channels: 1, data: grey };
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = viewOf(chunk);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
  return chunk;
}

/** Returns pixels as a JPEG, on white where they are transparent. */
async function jpegFile(
  { width, height, channels, data }: Pixels,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: { encode } } = await import("jpeg-js");
  const opaque = new Uint8Array(width * height * 4);
  for (let from = 0, to = 0; to < opaque.length; from += channels, to += 4) {
    const alpha = channels === 4 ? data[from + 3]! / 255 : 1;
    for (let c = 0; c < 3; c++) {
      const value = data[channels === 1 ? from : from + c]!;
      opaque[to + c] = 255 - (255 - value) * alpha;
    }
    opaque[to + 3] = 255;
  }
  return Uint8Array.from(encode({ width, height, data: opaque }, quality).data);
}
