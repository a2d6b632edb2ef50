/** A page of a PDF with the passage of a hit marked. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { WireHit } from "#wire/search.ts";
import { CallError } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { useKeys } from "#web/keys.ts";
import { locate, type Located } from "#web/original/locate.ts";
import { MarkSteps } from "#web/original/mark_steps.tsx";
import type { Box } from "#web/original/page_text.ts";
import { openedPdf, type OpenPdf, PdfError, type Spot } from "#web/original/pdf_document.ts";
import { textsOf } from "#web/texts.ts";
import { ORIGINAL } from "#web/texts/original.ts";

const t = textsOf(ORIGINAL);

/** Pages of a passage that are compared, around that of the hit. */
const PAGES_AROUND = 6;
const SMALLEST = 0.25, LARGEST = 6, ZOOM_STEP = 1.25;

/** A mark on a page. */
interface Mark {
  readonly page: number;
  readonly boxes: readonly Box[];
}

export function PdfView({ hit }: { readonly hit: WireHit }) {
  const [pdf, setPdf] = useState<OpenPdf>();
  const [located, setLocated] = useState<Located | "nowhere">();
  const [page, setPage] = useState(hit.page ?? 1);
  const [step, setStep] = useState(0);
  const [zoom, setZoom] = useState(1);
  const [error, setError] = useState<unknown>();
  const [drawn, setDrawn] = useState<number>();
  const marks = useMemo(() => marksOf(located), [located]);
  const isShown = located !== undefined && drawn === page;
  useEffect(() => {
    if (isShown) performance.mark("original-marked", { detail: hit.chunkId });
  }, [isShown, hit.chunkId]);

  useEffect(() => {
    let isGone = false;
    setLocated(undefined);
    setError(undefined);
    setPage(hit.page ?? 1);
    openedPdf(hit.path).then(async (pdf) => {
      if (isGone) return;
      setPdf(pdf);
      const show = (found: Located | undefined) => {
        const marks = marksOf(found);
        const first = firstMark(marks, hit);
        setLocated(found ?? "nowhere");
        setStep(first);
        const shown = marks[first]?.page ?? found?.passage[0]?.page;
        if (shown !== undefined) setPage(shown);
      };
      // Most passages are on their own pages, which are shown at once. A paragraph may end on the next one.
      const own = await place(pdf, hit, 0);
      if (isGone) return;
      if (own !== undefined) show(own);
      const found = await place(pdf, hit, 1);
      if (isGone) return;
      if (own === undefined || (found?.marks.length ?? 0) > own.marks.length) show(found);
    }).catch((error) => isGone || setError(error));
    return () => {
      isGone = true;
    };
  }, [hit.path, hit.chunkId]);

  const count = pdf?.pageCount ?? 0;
  const turn = (to: number) => setPage(Math.min(count, Math.max(1, to)));
  const move = (by: 1 | -1) => {
    if (marks.length === 0) return;
    const next = (step + by + marks.length) % marks.length;
    setStep(next);
    setPage(marks[next]!.page);
  };
  const enlarge = (by: number) => setZoom(Math.min(LARGEST, Math.max(SMALLEST, zoom * by)));
  useKeys([
    { key: "n", label: t("next_mark"), run: () => move(1) },
    { key: "p", label: t("previous_mark"), run: () => move(-1) },
    { key: "]", label: t("next_page"), run: () => turn(page + 1) },
    { key: "[", label: t("previous_page"), run: () => turn(page - 1) },
    { key: "+", label: t("larger"), run: () => enlarge(ZOOM_STEP) },
    { key: "-", label: t("smaller"), run: () => enlarge(1 / ZOOM_STEP) },
  ]);

  if (error !== undefined) return <PdfFailure error={error} />;
  if (pdf === undefined) return <p role="status">{t("loading")}</p>;
  return (
    <>
      <div class="actions">
        <MarkSteps step={step} count={marks.length} onMove={move} />
        <span class="spread" />
        <Button label={t("previous_page")} disabled={page <= 1} onClick={() => turn(page - 1)}>‹</Button>
        <label class="page-number">
          {t("page_number")}
          <input
            type="number"
            min={1}
            max={count}
            value={page}
            onChange={(event) => turn(Math.trunc(Number(event.currentTarget.value)) || page)}
          />
          {t("of_pages", { count })}
        </label>
        <Button label={t("next_page")} disabled={page >= count} onClick={() => turn(page + 1)}>›</Button>
        <span class="spread" />
        <Button label={t("smaller")} onClick={() => enlarge(1 / ZOOM_STEP)}>−</Button>
        <Button onClick={() => setZoom(1)}>{t("fit")}</Button>
        <Button label={t("larger")} onClick={() => enlarge(ZOOM_STEP)}>+</Button>
      </div>
      {located === "nowhere" && <Notice kind="warning">{t("not_located")}</Notice>}
      <Page
        pdf={pdf}
        number={page}
        zoom={zoom}
        passage={located === "nowhere" ? undefined : located?.passage}
        marks={marks}
        current={marks[step]?.page === page ? marks[step] : undefined}
        onError={setError}
        onDrawn={() => setDrawn(page)}
      />
    </>
  );
}

function PdfFailure({ error }: { readonly error: unknown }) {
  const problem = error instanceof PdfError
    ? error.problem
    // The user has given no path that could be wrong.
    : error instanceof CallError && error.key === "file_not_found"
    ? "gone"
    : undefined;
  return problem !== undefined ? <Notice kind="error">{t(problem)}</Notice> : <Failure error={error} />;
}

/** The places of a hit's passage, compared with its pages and so many `beside` them. */
async function place(
  pdf: OpenPdf,
  { content, marks, page = 1, pages = [page, page] }: WireHit,
  beside: number,
) {
  const first = Math.max(pages[0] - beside, page - PAGES_AROUND);
  const last = Math.min(pages[1] + beside, page + PAGES_AROUND);
  return locate(await pdf.texts(first, last), content, marks, page);
}

/** The marks in the order of the pages. Those that overlap, as pairs of Chinese characters do, are one. */
function marksOf(located: Located | "nowhere" | undefined): readonly Mark[] {
  if (located === undefined || located === "nowhere") return [];
  const marks: Mark[] = [];
  for (const { page, boxes } of located.marks.toSorted((a, b) => a.page - b.page)) {
    const last = marks.at(-1);
    const isSame = last?.page === page &&
      boxes.some((box) => last.boxes.some((other) => overlap(box, other)));
    if (isSame) marks[marks.length - 1] = { page, boxes: joined([...last.boxes, ...boxes]) };
    else marks.push({ page, boxes });
  }
  return marks;
}

/** Boxes that overlap, as one. */
function joined(boxes: readonly Box[]): Box[] {
  const all: Box[] = [];
  for (const box of boxes) {
    const at = all.findIndex((other) => overlap(box, other));
    if (at < 0) all.push(box);
    else {
      const other = all[at]!;
      all[at] = {
        left: Math.min(box.left, other.left),
        bottom: Math.min(box.bottom, other.bottom),
        right: Math.max(box.right, other.right),
        top: Math.max(box.top, other.top),
      };
    }
  }
  return all;
}

function overlap(a: Box, b: Box): boolean {
  const height = Math.min(a.top - a.bottom, b.top - b.bottom);
  return Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom) > 0.5 * height &&
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > -0.1 * height;
}

/** The first mark on the page that the hit names. */
function firstMark(marks: readonly Mark[], { page }: WireHit): number {
  return Math.max(0, marks.findIndex((mark) => mark.page === page));
}

/** Rectangles to show on a page. */
interface Spots {
  readonly page: number;
  readonly passage: readonly Spot[];
  readonly marks: readonly Spot[];
  readonly current: readonly Spot[];
  readonly ratio: number;
}

function Page({ pdf, number, zoom, passage, marks, current, onError, onDrawn }: {
  readonly pdf: OpenPdf;
  readonly number: number;
  readonly zoom: number;
  readonly passage: readonly Mark[] | undefined;
  readonly marks: readonly Mark[];
  readonly current: Mark | undefined;
  readonly onError: (error: unknown) => void;
  readonly onDrawn: () => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [fit, setFit] = useState(0);
  const [spots, setSpots] = useState<Spots>();
  const width = Math.round(fit * zoom);

  useEffect(() => {
    const observer = new ResizeObserver(() => frame.current && setFit(frame.current.clientWidth));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    let isGone = false;
    spotsOf(pdf, number, { passage, marks, current }).then((spots) => isGone || setSpots(spots), onError);
    return () => {
      isGone = true;
    };
  }, [pdf, number, passage, marks, current]);
  useEffect(() => {
    if (width === 0) return;
    let isGone = false;
    pdf.draw(number, canvas.current!, width).then(
      (isDrawn) => isGone || !isDrawn || onDrawn(),
      (error) => isGone || onError(error),
    );
    return () => {
      isGone = true;
    };
  }, [pdf, number, width]);
  // The current mark, or the passage, in the middle.
  useEffect(() => {
    const shown = frame.current!.querySelector<HTMLElement>(".current, .mark, .passage");
    if (shown === null) return;
    const { clientHeight, clientWidth } = frame.current!;
    frame.current!.scrollTo(shown.offsetLeft - clientWidth / 2, shown.offsetTop - clientHeight / 2);
  }, [spots, width]);

  const own = spots?.page === number ? spots : undefined;
  return (
    <div class="pages" ref={frame} tabIndex={0} role="group" aria-label={t("page_picture", { page: number })}>
      <div
        class="page"
        data-page={number}
        style={{ width: `${width}px`, ...(own && { aspectRatio: `${own.ratio}` }) }}
      >
        <canvas ref={canvas} role="img" aria-label={t("page_picture", { page: number })} />
        {own?.passage.map((spot, at) => <div key={at} class="passage" style={styleOf(spot)} />)}
        {own?.marks.map((spot, at) => <div key={at} class="mark" style={styleOf(spot)} />)}
        {own?.current.map((spot, at) => <div key={at} class="mark current" style={styleOf(spot)} />)}
      </div>
    </div>
  );
}

async function spotsOf(
  pdf: OpenPdf,
  page: number,
  { passage, marks, current }: {
    readonly passage: readonly Mark[] | undefined;
    readonly marks: readonly Mark[];
    readonly current: Mark | undefined;
  },
): Promise<Spots> {
  const boxes = (places: readonly Mark[] = []) =>
    places.filter((place) => place.page === page).flatMap(({ boxes }) => boxes);
  const { width, height } = await pdf.size(page);
  return {
    page,
    ratio: width / height,
    passage: await pdf.spots(page, boxes(passage)),
    marks: await pdf.spots(page, boxes(marks.filter((mark) => mark !== current))),
    current: await pdf.spots(page, current?.boxes ?? []),
  };
}

function styleOf({ left, top, width, height }: Spot) {
  const part = (value: number) => `${(100 * value).toFixed(3)}%`;
  return { left: part(left), top: part(top), width: part(width), height: part(height) };
}
