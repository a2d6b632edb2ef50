/** Pictures of documents: where they are, and what may be asked of them. */

/** Pixels in rows from the top, without gaps between the rows. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1: grey, 3: RGB, 4: RGB and opacity. */
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A rectangle in points from the upper left corner of a page or slide. */
export interface PictureBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Square points of an A4 page, and about those of a slide. */
export const USUAL_PAGE: number = 595 * 842;

/** Where a loader found a picture, for listing and reading it. It stays in the thread of the loader. */
export interface PictureSource {
  /** Returns its bytes as the document stores them; `undefined` if they are missing. May throw `DocumentError`. */
  readonly bytes?: (() => Uint8Array | undefined) | undefined;
  /** Returns its pixels, where the bytes are no file by themselves, as in PDF. May throw `DocumentError`. */
  readonly pixels?: (() => Pixels | undefined) | undefined;
  /** Size in pixels, where the bytes do not say it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The address of a file outside of the document, as it is written there. */
  readonly link?: string | undefined;
  /** Alternative text, and the caption if the format marks it as one. */
  readonly alt?: string | undefined;
  readonly caption?: string | undefined;
  readonly box?: PictureBox | undefined;
  /** The part of its page or slide that it takes, up to 1. */
  readonly share?: number | undefined;
  /** The cell of a sheet in which its upper left corner lies: `B3`. */
  readonly cell?: string | undefined;
}

/** A request for a document's pictures. Numbers are counted from 1. */
export type PictureRequest =
  | { readonly want: "list" }
  /** Some pictures, each scaled down to `side` pixels on its longer side and to `bytes`. */
  | {
    readonly want: "pictures";
    readonly numbers: readonly number[];
    readonly side: number;
    readonly bytes: number;
    /** Whether they are made anew from their pixels: nothing else in a file, such as where a photo was taken, is given. */
    readonly isPlain?: true;
  }
  /** A page of a PDF in so many pixels of width, and at most `bytes`. */
  | { readonly want: "page"; readonly number: number; readonly width: number; readonly bytes: number };

/** A picture in a document. Absent properties are not known. */
export interface ListedPicture {
  /** Its place among the pictures of the document, counted from 1. The pictures of a chunk are named by it. */
  readonly number: number;
  readonly page?: number;
  /** Line of the document's text at which it stands, counted from 1. */
  readonly line: number;
  readonly box?: PictureBox;
  /** The part of its page or slide that it takes, from 0 to 1. */
  readonly share?: number;
  readonly cell?: string;
  /** Size in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** `image/png` … */
  readonly mediaType?: string;
  /** Number of its bytes in the document, and their SHA-256 in hexadecimal. */
  readonly size?: number;
  readonly sha256?: string;
  readonly alt?: string;
  readonly caption?: string;
  /** Headings that lead to it, outermost first; empty outside of any section. */
  readonly section: readonly string[];
  readonly link?: string;
  /** Why it cannot be shown. */
  readonly problem?: "missing" | "damaged" | "unsupported" | "too_complex" | "linked";
  /** Present if it was asked for and can be shown. */
  readonly given?: GivenPicture;
  /** Of one that is made anew from its pixels. One that is blank is not given. */
  readonly look?: Look;
}

/** A picture that is given, as PNG, JPEG, GIF or WebP. */
export interface GivenPicture {
  readonly mediaType: string;
  /** Number of bytes that are given. */
  readonly size: number;
  /** Size in pixels of what is given. Absent if it is not known. */
  readonly width?: number;
  readonly height?: number;
  /** It has fewer pixels than the document's picture. */
  readonly isScaled?: true;
}

/** The answer to a {@linkcode PictureRequest}. */
export interface PictureAnswer {
  /** All pictures for `list`, those that exist of the ones asked for, none for `page`. */
  readonly pictures: readonly ListedPicture[];
  /** For `page`. Absent if there is no such page. */
  readonly given?: GivenPicture;
  /** Number of pages of the document, for `page`. */
  readonly pageCount?: number;
  /** Pictures beyond those listed. */
  readonly more?: number;
}

/** `blank`: nearly all of it has one colour. `photo`: many colours, and none that stands out. */
export type Look = "blank" | "photo" | "drawing";
