/** Progress as a bar, with its numbers beside it. */
import { number } from "#web/texts.ts";

/** How far work is. Without a total, the text says that it is still counted. */
export function Progress({ label, done, total, counting }: {
  readonly label: string;
  readonly done: number;
  readonly total?: number;
  /** The text in place of an unknown total. */
  readonly counting: string;
}) {
  const isKnown = total !== undefined && total > 0;
  return (
    <div class="progress">
      <span>{label}</span>
      <progress
        aria-label={label}
        {...(isKnown && { value: done, max: total })}
      />
      <span>{isKnown ? `${number(done)} / ${number(total)}` : counting}</span>
    </div>
  );
}
