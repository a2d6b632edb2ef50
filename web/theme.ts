/** Light or dark, or as the system says. */
import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

export const THEMES: readonly Theme[] = ["auto", "light", "dark"];

const STORED = "theme";

export const theme = signal<Theme>(
  THEMES.find((each) => each === localStorage.getItem(STORED)) ?? "auto",
);

theme.subscribe((now) => document.documentElement.dataset["theme"] = now);

export function changeTheme(to: Theme): void {
  localStorage.setItem(STORED, to);
  theme.value = to;
}
