/** Which page is shown and in which state: both stand in the address, so that going back, reloading and bookmarks work. */
import { signal } from "@preact/signals";
import { PAGE_NAMES, type PageName } from "#wire/common.ts";

/** A page: one of the navigation, or that of all components. */
export type Page = PageName | "patterns";

/** The state of a page: values by name. */
export type State = Readonly<Record<string, string>>;

export interface Route {
  readonly page: Page;
  readonly state: State;
}

/** The page that is shown. Components that read it follow the address. */
export const route = signal<Route>(routeOf(location));

addEventListener("popstate", () => route.value = routeOf(location));

/** The address of a page in a state, without values that are empty. */
export function addressOf(
  page: Page,
  state: Readonly<Record<string, string | undefined>> = {},
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value) params.set(name, value);
  }
  return `/${page}${params.size > 0 ? `?${params}` : ""}`;
}

/** Shows a page. */
export function go(
  page: Page,
  state: Readonly<Record<string, string | undefined>> = {},
): void {
  const address = addressOf(page, state);
  if (address !== location.pathname + location.search) {
    history.pushState(null, "", address);
  }
  route.value = routeOf(location);
}

/** Changes some values of the state of the page that is shown; `undefined` or an empty text removes one. `step`: going back undoes it. */
export function change(
  values: Readonly<Record<string, string | undefined>>,
  step: "step" | "silent" = "step",
): void {
  const { page, state } = route.peek();
  const address = addressOf(page, { ...state, ...values });
  if (address === location.pathname + location.search) return;
  if (step === "step") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  route.value = routeOf(location);
}

function routeOf({ pathname, search }: Location): Route {
  const name = pathname.slice(1);
  const page = [...PAGE_NAMES, "patterns" as const].find((each) => each === name) ??
    "search";
  return { page, state: Object.fromEntries(new URLSearchParams(search)) };
}
