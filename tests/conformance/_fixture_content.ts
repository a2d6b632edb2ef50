/** A PNG of one red pixel, in base64. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/** The result of a tool that says `text`. */
export function text(text: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text }] };
}
