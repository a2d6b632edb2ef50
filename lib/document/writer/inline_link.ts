/** Parts and characters of a link's text. */
const LONGEST = 2000;

/** Makes a link of the inline Markdown that was added since `from`, unless its address is shown already. */
export function link(parts: string[], from: number, address: string): void {
  // Whole chapters are no links, and joining them time and again takes long.
  if (parts.length - from > LONGEST) return;
  const text = parts.slice(from).join("");
  const shown = text.length > LONGEST ? "" : text.trim();
  if (!/^(?:https?|ftp|mailto):/i.test(address) || /[\n\]]/.test(shown)) return;
  if (shown === "" || shown === address || `mailto:${shown}` === address) return;
  const target = address.replace(/[\s()]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  parts.splice(from, Infinity, text.replace(shown, () => `[${shown}](${target})`));
}
