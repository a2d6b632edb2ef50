/** A link to a page of this program in a state. The browser's own ways to open it elsewhere work. */
import type { ComponentChildren } from "preact";
import { addressOf, go, type Page } from "#web/router.ts";

export function Link({ page, state = {}, current = false, children }: {
  readonly page: Page;
  readonly state?: Readonly<Record<string, string | undefined>>;
  /** Whether it is the page that is shown. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      href={addressOf(page, state)}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        if (
          event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
        ) return;
        event.preventDefault();
        go(page, state);
      }}
    >
      {children}
    </a>
  );
}
