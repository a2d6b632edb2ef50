import type { Destination } from "./destinations.ts";

/** State that a group inherits from its parent, and that ends with the group. */
export interface State {
  destination: Destination;
  font: number | undefined;
  /** Characters after a `\u` that replace it in programs without Unicode. */
  fallback: number;
  hidden: boolean;
  script: "superscript" | "subscript" | undefined;
  style: number;
  outline: number | undefined;
  inTable: boolean;
  level: number;
  /** Called at the end of the group. */
  onClose: (() => void) | undefined;
}

export const FIRST_STATE: State = {
  destination: "text",
  font: undefined,
  fallback: 1,
  hidden: false,
  script: undefined,
  style: 0,
  outline: undefined,
  inTable: false,
  level: 0,
  onClose: undefined,
};

/** Applies a control word that only changes the state. Returns false for any other. `font`: default font of the document. */
export function changeState(
  state: State,
  word: string,
  value: number | undefined,
  font: number | undefined,
): boolean {
  const isOn = value !== 0;
  switch (word) {
    case "pard":
      state.style = 0;
      state.outline = undefined;
      state.inTable = false;
      state.level = 0;
      return true;
    case "plain":
      state.hidden = false;
      state.script = undefined;
      state.font = font;
      return true;
    case "s":
      state.style = value ?? 0;
      return true;
    case "outlinelevel":
      state.outline = value;
      return true;
    case "intbl":
      state.inTable = isOn;
      return true;
    case "ilvl":
      state.level = Math.max(0, Math.min(8, value ?? 0));
      return true;
    case "f":
      state.font = value ?? 0;
      return true;
    case "uc":
      state.fallback = Math.max(0, Math.min(10, value ?? 1));
      return true;
    case "v":
    case "deleted":
      state.hidden = isOn;
      return true;
    // Raised or lowered by half points, six by default.
    case "up":
      state.script = isOn ? "superscript" : undefined;
      return true;
    case "dn":
      state.script = isOn ? "subscript" : undefined;
      return true;
    case "super":
      state.script = isOn ? "superscript" : undefined;
      return true;
    case "sub":
      state.script = isOn ? "subscript" : undefined;
      return true;
    case "nosupersub":
      state.script = undefined;
      return true;
  }
  return false;
}
