import type { Icon } from "@modelcontextprotocol/server";

/** A page with lines of text under a magnifying glass. */
const SVG =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7d4f" stroke-width="2" ` +
  `stroke-linecap="round"><path d="M17 9V4H4v16h7M8 8h5M8 12h2"/><circle cx="15" cy="15" r="4"/><path d="m18 18 3 3"/></svg>`;

/** The icon of the server in lists of a client. It is part of the message, since a client may not load it from elsewhere. */
export const ICON: Icon = {
  src: `data:image/svg+xml;base64,${btoa(SVG)}`,
  mimeType: "image/svg+xml",
  sizes: ["any"],
};
