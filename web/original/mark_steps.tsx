/** Goes from mark to mark. */
import { Button } from "#web/components/field.tsx";
import { textsOf } from "#web/texts.ts";
import { ORIGINAL } from "#web/texts/original.ts";

const t = textsOf(ORIGINAL);

export function MarkSteps({ step, count, onMove }: {
  /** The mark that is shown, counted from 0. */
  readonly step: number;
  readonly count: number;
  readonly onMove: (by: 1 | -1) => void;
}) {
  if (count === 0) return <span class="muted">{t("no_marks")}</span>;
  return (
    <>
      <Button label={t("previous_mark")} onClick={() => onMove(-1)}>↑</Button>
      <span role="status">{t("mark", { at: Math.min(step, count - 1) + 1, count })}</span>
      <Button label={t("next_mark")} onClick={() => onMove(1)}>↓</Button>
    </>
  );
}
