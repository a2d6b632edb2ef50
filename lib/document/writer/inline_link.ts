/**
 * Longest text of a link, in parts and in characters. Longer ones are whole chapters, and joining them repeatedly takes
 * long.
 */
const LONGEST = 2000;

/**
 * Makes a link of the inline Markdown that was added to `parts` since `from`, unless the text already shows the address or
 * the address is not one of the web or of mail.
 */
export function link(parts: string[], from: number, address: string | undefined): void {
  if (address === undefined || !/^(?:https?|ftp|mailto):/i.test(address)) return;
  if (parts.length - from > LONGEST) return;
  const text = parts.slice(from).join("");
  const shown = text.length > LONGEST ? "" : text.trim();
  if (shown === "" || shown === address || `mailto:${shown}` === address || /[\n\]]/.test(shown)) return;
  const target = address.replace(
    /[\s()]/g,
    (char) => char === "(" ? "%28" : char === ")" ? "%29" : encodeURIComponent(char),
  );
  parts.splice(from, Infinity, text.replace(shown, () => `[${shown}](${target})`));
}
