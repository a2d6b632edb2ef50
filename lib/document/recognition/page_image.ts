/** An image of a page in which text is recognised: a file that Tesseract reads, and its orientation as in Exif, 1 … 8. */
export interface PageImage {
  readonly bytes: Uint8Array;
  readonly orientation: number;
}

/** A page of a document. `image`: absent if the page is not a scan. */
export interface NumberedPage {
  readonly number: number;
  readonly image?: PageImage;
  readonly isUnreadable?: boolean;
}
