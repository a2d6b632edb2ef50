/** Keys that do something on a page, and their list for the help. */
import { useEffect, useRef } from "preact/hooks";

export interface Key {
  /** As in `KeyboardEvent.key`. */
  readonly key: string;
  /** In the language of the pages. */
  readonly label: string;
  readonly run: () => void;
}

/** The keys of the components that are shown, the last ones first. */
let shown: readonly { readonly current: readonly Key[] }[] = [];

/** The keys that work now. */
export function currentKeys(): readonly Key[] {
  return shown.flatMap(({ current }) => current);
}

/** Adds keys while a component is shown: those of its last rendering. */
export function useKeys(own: readonly Key[]): void {
  const keys = useRef(own);
  keys.current = own;
  useEffect(() => {
    shown = [keys, ...shown];
    return () => {
      shown = shown.filter((other) => other !== keys);
    };
  }, []);
}

addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || event.isComposing) return;
  const isTyping = target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
  if (isTyping && key !== "Escape") return;
  // A dialog closes itself.
  if (document.querySelector("dialog[open]") !== null) return;
  const found = currentKeys().find((each) => each.key === key);
  if (found === undefined) return;
  event.preventDefault();
  found.run();
});

/** Moves the focus to the next or previous of the elements that a selector finds. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((each) => each.contains(document.activeElement));
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
