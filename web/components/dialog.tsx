/** A dialog above the page. Esc closes it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { SHELL } from "#web/texts/shell.ts";
import { textsOf } from "#web/texts.ts";

const t = textsOf(SHELL);

export function Dialog({ title, onClose, children }: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <p class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          {t("close")}
        </button>
      </p>
    </dialog>
  );
}
