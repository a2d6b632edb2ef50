/** The question of a search, with what stands below it. */
import type { ComponentChildren, RefObject } from "preact";

export function QuestionForm({ box, question = "", label, placeholder, button, onAsk, children }: {
  /** Gets the field of the question. */
  readonly box: RefObject<HTMLInputElement | null>;
  readonly question?: string | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly button: string;
  readonly onAsk: (question: string) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      role="search"
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(box.current!.value.trim());
      }}
    >
      <input
        ref={box}
        type="search"
        key={question}
        defaultValue={question}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts="/"
        autocomplete="off"
        autofocus
      />
      <button type="submit" class="main">{button}</button>
      {children}
    </form>
  );
}
