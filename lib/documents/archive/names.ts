/**
 * Names of entries as text, and as paths that are safe wherever they are shown. Archives rarely say in which encoding their names
 * are. A name that is not UTF-8 has the Windows encoding of its author's country, or that of DOS.
 */
import { decoderOf } from "../encoding.ts";
import type { RawEntry } from "./budget.ts";

/** The upper half of code page 437, by which ZIP archives without another mark are read (APPNOTE.TXT, appendix D). */
const CP437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌" +
  "█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Whether two bytes are a frequent character of an encoding: the first level of its standard, kana, punctuation. */
const FREQUENT: readonly (readonly [encoding: string, test: (first: number, second: number) => boolean])[] = [
  ["gb18030", (a, b) => b >= 0xa1 && (a >= 0xb0 && a <= 0xd7 || a >= 0xa1 && a <= 0xa3)],
  ["big5", (a, b) => a >= 0xa1 && a <= 0xc6 && (b >= 0x40 && b <= 0x7e || b >= 0xa1)],
  [
    "shift_jis",
    (a, b) =>
      a === 0x81 || a === 0x82 && b >= 0x4f || a === 0x83 && b >= 0x40 && b <= 0x96 ||
      a >= 0x88 && a <= 0x97 && b >= 0x40,
  ],
  ["euc-kr", (a, b) => b >= 0xa1 && (a >= 0xb0 && a <= 0xc8 || a === 0xa1 || a === 0xa3)],
];

/** Share of the characters beyond ASCII that must be frequent. */
const ENOUGH = 0.65;

/** Decodes the names of an archive, most of which are in one encoding. */
export class NameDecoder {
  readonly #decode: (name: Uint8Array) => string;

  /** `names`: the names without a declared encoding. */
  constructor(names: readonly Uint8Array[]) {
    const foreign = names.filter((name) => asUtf8(name) === undefined);
    const [best] = FREQUENT.map(([encoding, test]) => ({ encoding, share: shareOf(foreign, encoding, test) }))
      .toSorted((a, b) => b.share - a.share);
    const decoder = foreign.length > 0 && best!.share >= ENOUGH ? decoderOf(best!.encoding) : undefined;
    this.#decode = (name) => decoder?.decode(name) ?? asCp437(name);
  }

  nameOf({ name, encoding }: Pick<RawEntry, "name" | "encoding">): string {
    if (encoding === "utf-16le") return new TextDecoder("utf-16le").decode(name);
    return asUtf8(name) ?? (encoding === "utf-8" ? new TextDecoder().decode(name) : this.#decode(name));
  }
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function asCp437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128]!).join("");
}

/** Share of the characters beyond ASCII that are frequent in an encoding; 0 if some name is not in it. */
function shareOf(
  names: readonly Uint8Array[],
  encoding: string,
  isFrequent: (first: number, second: number) => boolean,
): number {
  let [all, frequent] = [0, 0];
  const strict = new TextDecoder(encoding, { fatal: true });
  for (const name of names) {
    try {
      strict.decode(name);
    } catch {
      return 0;
    }
    for (let at = 0; at < name.length; at++) {
      if (name[at]! < 128) continue;
      all++;
      if (isFrequent(name[at]!, name[at + 1] ?? 0)) frequent++;
      at++;
    }
  }
  return all === 0 ? 0 : frequent / all;
}

/** Parts of a path at most; the last ones are kept. */
const MOST_PARTS = 50;
/** UTF-16 units of a part. */
const LONGEST_PART = 200;
/** Names that Windows opens as devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/**
 * Returns the name of an entry as a path below its archive, `/` between its parts: without drive, root, `.` and `..`, without
 * control characters, marks that turn the direction of text, colons and the names of devices. Empty if nothing is left.
 */
export function safePath(name: string): string {
  const parts = name.replaceAll("\\", "/").replace(/^[a-z]:/i, "").split("/")
    // deno-lint-ignore no-control-regex
    .map((part) => part.replace(/[\0-\x1f\x7f-\x9f:\u2028-\u202e\u2066-\u2069]/g, "_").trim())
    .filter((part) => part !== "" && !/^\.{1,2}$/.test(part))
    .map((part) => DEVICE.test(part) ? `_${part}` : part)
    .map((part) => part.length <= LONGEST_PART ? part : shortened(part));
  return parts.slice(-MOST_PARTS).join("/");
}

/** A long name without its middle, with its extension. */
function shortened(part: string): string {
  const extension = /\.[^.]{1,10}$/.exec(part)?.[0] ?? "";
  return `${
    part.slice(0, LONGEST_PART - extension.length).toWellFormed().replace(/\ufffd$/, "")
  }${extension}`;
}

/** Gives each path once: a second entry of the same name gets a number, `a.txt` and `a (2).txt`. */
export class UniquePaths {
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<string, number>();

  take(path: string): string {
    let free = path;
    for (let number = this.#numbers.get(path) ?? 1; this.#taken.has(free);) {
      this.#numbers.set(path, ++number);
      const dot = path.lastIndexOf(".");
      const isExtension = dot > path.lastIndexOf("/") + 1;
      free = isExtension ? `${path.slice(0, dot)} (${number})${path.slice(dot)}` : `${path} (${number})`;
    }
    this.#taken.add(free);
    return free;
  }
}
