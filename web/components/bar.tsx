/** Shares and progress as bars. The number always stands beside it. */
import { number } from "#web/texts.ts";

/** A share of a whole, from 0 to 1. */
export function Bar(
  { share, label }: { readonly share: number; readonly label: string },
) {
  const width = `${Math.min(1, Math.max(0, share)) * 100}%`;
  return (
    <span class="bar" role="img" aria-label={label}>
      <span style={{ width }} />
    </span>
  );
}

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
