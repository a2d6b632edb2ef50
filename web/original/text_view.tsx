/** A document as the text that was indexed, with line numbers and the marks of a hit. Only the visible lines are in the page. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OpenedText } from "#wire/originals.ts";
import type { WireHit, WireMark } from "#wire/search.ts";
import { callBytes } from "#web/api.ts";
import { VirtualList } from "#web/components/list.tsx";
import { Marked } from "#web/components/marked.tsx";
import { Notice } from "#web/components/notice.tsx";
import { useKeys } from "#web/keys.ts";
import { MarkSteps } from "#web/original/mark_steps.tsx";
import { marksOnLines } from "#web/original/line_marks.ts";
import { textsOf } from "#web/texts.ts";
import { ORIGINAL } from "#web/texts/original.ts";

const t = textsOf(ORIGINAL);

/** UTF-16 units of a line in one row: a line may have millions. */
const MOST_IN_ROW = 2_000;

/** A line, or a part of a long one. */
interface Row {
  readonly line: number;
  readonly from: number;
  readonly text: string;
}

export function TextView({ opened, hit }: { readonly opened: OpenedText; readonly hit: WireHit }) {
  const { name, text, firstLine, totalLines } = opened;
  const [step, setStep] = useState(0);
  const { rows, marks, places, isChanged } = useMemo(() => shownRows(opened, hit), [opened, hit]);
  useEffect(() => setStep(0), [rows]);
  const last = firstLine + text.split("\n").length - 1;
  const move = (by: number) => setStep((step + by + places.length) % Math.max(1, places.length));
  useKeys([
    { key: "n", label: t("next_mark"), run: () => move(1) },
    { key: "p", label: t("previous_mark"), run: () => move(-1) },
  ]);
  const start = rows.findIndex(({ line }) => line >= hit.startLine);
  useEffect(() => void performance.mark("original-marked", { detail: hit.chunkId }), [rows]);
  return (
    <>
      <div class="actions">
        <MarkSteps step={step} count={places.length} onMove={move} />
        {(firstLine > 1 || last < totalLines) && (
          <span class="muted">{t("part", { first: firstLine, last, count: totalLines })}</span>
        )}
      </div>
      {isChanged && <Notice kind="warning">{t("lines_changed")}</Notice>}
      <VirtualList
        label={t("lines", { name })}
        items={rows}
        keyOf={({ line, from }) => `${line} ${from}`}
        height={24}
        at={places[step] ?? start}
      >
        {(row, at) => (
          <div
            class={`line${row.line >= hit.startLine && row.line <= hit.endLine ? " passage" : ""}${
              at === places[step] ? " current" : ""
            }`}
          >
            <span class="line-number" aria-hidden="true">{row.from === 0 ? row.line : ""}</span>
            <span class="line-text">
              <Marked text={row.text} marks={marksIn(row, marks.get(row.line))} />
            </span>
          </div>
        )}
      </VirtualList>
      {hit.images !== undefined && <Pictures path={hit.path} numbers={hit.images} />}
    </>
  );
}

/** The rows of a text, the marks of its lines, and the rows with marks. */
function shownRows({ text, firstLine }: OpenedText, hit: WireHit) {
  const lines = text.split("\n");
  const { marks, found, wanted } = marksOnLines(hit, (line) => lines[line - firstLine]);
  const rows: Row[] = [];
  for (const [i, line] of lines.entries()) {
    for (let from = 0; from === 0 || from < line.length; from += MOST_IN_ROW) {
      rows.push({ line: firstLine + i, from, text: line.slice(from, from + MOST_IN_ROW) });
    }
  }
  const places = rows.flatMap((row, at) => marksIn(row, marks.get(row.line)).length > 0 ? [at] : []);
  return { rows, marks, places, isChanged: wanted > 0 && found === 0 };
}

/** The marks of a line in one of its rows. */
function marksIn({ from, text }: Row, marks: readonly WireMark[] = []): WireMark[] {
  return marks.map(({ start, end }) => ({
    start: Math.max(0, start - from),
    end: Math.min(text.length, end - from),
  }))
    .filter(({ start, end }) => start < end);
}

/** The pictures that stand in the passage. */
function Pictures({ path, numbers }: { readonly path: string; readonly numbers: readonly number[] }) {
  return (
    <section aria-label={t("pictures")} class="pictures" tabIndex={0}>
      {numbers.slice(0, 12).map((number) => (
        <Picture
          key={`${path} ${number}`}
          path={path}
          number={number}
        />
      ))}
    </section>
  );
}

/** A picture of a document, as the program made it anew. */
function Picture({ path, number }: { readonly path: string; readonly number: number }) {
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    let made: string | undefined;
    callBytes("originals/picture", { path, number }, gone.signal).then(
      (bytes) => {
        if (!gone.signal.aborted) {
          setUrl(made = URL.createObjectURL(new Blob([bytes], { type: typeOf(bytes) })));
        }
      },
      () => gone.signal.aborted || setFailed(true),
    );
    return () => {
      gone.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [path, number]);
  if (failed) return <p class="remark">{t("picture_failed", { number })}</p>;
  return url === undefined ? null : <img src={url} alt={t("picture", { number })} />;
}

/** The program gives two types of pictures. */
function typeOf(bytes: Uint8Array): string {
  return bytes[0] === 0x89 ? "image/png" : "image/jpeg";
}
