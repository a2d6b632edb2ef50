/** The stages of a trace in words: their names, what they say of themselves, their candidates, and how ranks changed between them. */
import type { ComponentChildren } from "preact";
import type { Facts, WireCandidate, WireSpan } from "#wire/traces.ts";
import { Link } from "#web/components/link.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { duration, number, textsOf, wordFor } from "#web/texts.ts";
import { COMPONENTS } from "#web/texts/overview.ts";
import { STAGES, TRACES } from "#web/texts/traces.ts";

const t = textsOf(TRACES);

/** Legs of a search, whose candidates are shown side by side. */
const LEGS = ["keyword", "translation", "vector", "neural"];

/** Candidates that are shown of a leg, and hits whose ranks are followed. */
const SHOWN = 20;

/** The name of a stage. */
export function stageName({ stage }: Pick<WireSpan, "stage">): string {
  return wordFor(stage, STAGES);
}

/** The path of a file, method, provider, counts, and what went wrong. */
export function stageNote({ facts, texts, error }: WireSpan): string {
  const away = [facts["fallback"], facts["reason"]].filter((value) => value !== undefined).map(String);
  return [
    ...(error === undefined ? [] : [`✗ ${error}`]),
    ...(away.length === 0 ? [] : [`→ ${away.join(": ")}`]),
    ...[texts?.["path"], component(facts["method"]), component(facts["provider"])]
      .filter((value) => typeof value === "string"),
    countsText(facts["counts"]),
  ].filter((part) => part !== "").join(", ");
}

/** Counts by their names, without those that are 0. */
export function countsText(counts: unknown): string {
  if (typeof counts !== "object" || counts === null) return "";
  return Object.entries(counts).filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${typeof value === "number" ? number(value, 3) : String(value)}`)
    .join(", ");
}

function component(value: unknown): unknown {
  return typeof value === "string" ? wordFor(value, COMPONENTS) : undefined;
}

/** Everything that a stage says of itself. */
export function StageFacts({ span, own }: { readonly span: WireSpan; readonly own: number }) {
  const { from, ms, facts, texts = {}, error } = span;
  const { candidates: _candidates, ...others } = facts;
  const candidates = candidatesOf(facts);
  return (
    <section aria-label={t("facts", { stage: stageName(span) })} class="stage-facts">
      <h3>{t("facts", { stage: stageName(span) })}</h3>
      <dl class="facts">
        <dt>{t("time")}</dt>
        <dd>{duration(ms)}</dd>
        <dt>{t("own")}</dt>
        <dd>{duration(own)}</dd>
        <dt>{t("from")}</dt>
        <dd>{duration(from)}</dd>
        {error !== undefined && [<dt key="e">{t("error")}</dt>, <dd key="v" class="bad">{error}</dd>]}
        {factsList(others)}
        {factsList(texts)}
      </dl>
      {candidates.length > 0 && (
        <Table
          caption={stageName(span)}
          columns={candidateColumns()}
          rows={candidates}
          keyOf={({ chunk }) => chunk}
        />
      )}
    </section>
  );
}

function factsList(facts: Facts): ComponentChildren {
  return Object.entries(facts).map(([name, value]) => [
    <dt key={`${name} name`}>{name}</dt>,
    <dd key={name}>
      <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
    </dd>,
  ]);
}

function candidateColumns(): readonly Column<WireCandidate>[] {
  return [
    { key: "rank", title: t("rank"), isNumber: true, cell: ({ rank }) => number(rank) },
    { key: "score", title: t("score"), isNumber: true, cell: ({ score }) => number(score, 4) },
    { key: "chunk", title: t("chunk"), cell: (candidate) => <bdi>{placeOf(candidate)}</bdi> },
  ];
}

/** The last part of the path, or the id where no texts are kept. */
function placeOf({ path, chunk }: WireCandidate): string {
  return path === undefined ? chunk : `${path.split(/[\\/]/).at(-1)} · ${chunk.slice(0, 6)}`;
}

/** The candidates of the legs side by side. */
export function Legs({ spans }: { readonly spans: readonly WireSpan[] }) {
  const legs = lastRun(spans).filter(({ stage, facts }) =>
    LEGS.includes(stage) && candidatesOf(facts).length > 0
  );
  return legs.length === 0 ? <p class="muted">{t("no_candidates")}</p> : (
    <div class="legs">
      {legs.map((span) => (
        <Table
          key={span.id}
          caption={stageName(span)}
          columns={candidateColumns()}
          rows={candidatesOf(span.facts).slice(0, SHOWN)}
          keyOf={({ chunk }) => chunk}
        />
      ))}
    </div>
  );
}

/** A candidate with its rank in each list. */
interface Ranked extends WireCandidate {
  readonly ranks: readonly (number | undefined)[];
}

/** The candidates of the last list and those of the lists before that did not get there, with their ranks in each. */
export function Ranks({ spans, question }: {
  readonly spans: readonly WireSpan[];
  readonly question: string | undefined;
}) {
  const lists = lastRun(spans).filter(({ facts }) => candidatesOf(facts).length > 0);
  if (lists.length < 2) return null;
  const found = lists.map(({ facts }) => new Map(candidatesOf(facts).map((one) => [one.chunk, one])));
  // The legs stand side by side: only from their fusion on does a rank follow from the one before.
  const isAfterFusion = (at: number) => at > 0 && !LEGS.includes(lists[at - 1]!.stage);
  // The later the list, the more was known when it was made.
  const all = new Map(found.toReversed().flatMap((list) => [...list]).map(([chunk, one]) => [chunk, one]));
  const last = found.at(-1)!;
  const ordered = [...last.values(), ...[...all.values()].filter(({ chunk }) => !last.has(chunk))];
  const rows = ordered.slice(0, 2 * SHOWN).map((candidate): Ranked => ({
    ...candidate,
    ranks: found.map((list) => list.get(candidate.chunk)?.rank),
  }));
  const columns: readonly Column<Ranked>[] = [
    { key: "chunk", title: t("chunk"), cell: (candidate) => <bdi>{placeOf(candidate)}</bdi> },
    ...lists.map((span, at): Column<Ranked> => ({
      key: span.id,
      title: stageName(span),
      isNumber: true,
      cell: ({ ranks }) => <Rank now={ranks[at]} before={isAfterFusion(at) ? ranks[at - 1] : undefined} />,
    })),
    ...(question === undefined ? [] : [{
      key: "why",
      title: t("why_not"),
      cell: (candidate: Ranked) =>
        last.has(candidate.chunk) ? "" : (
          <Link page="why-not" state={{ q: question, chunk: candidate.chunk }}>
            {t("why_not")}
          </Link>
        ),
    }]),
  ];
  return <Table caption={t("ranks")} columns={columns} rows={rows} keyOf={({ chunk }) => chunk} />;
}

function Rank({ now, before }: { readonly now: number | undefined; readonly before: number | undefined }) {
  if (now === undefined) return <span class="muted">–</span>;
  const by = before === undefined ? 0 : before - now;
  return (
    <>
      {number(now)}
      {by !== 0 && (
        <small
          class={by > 0 ? "good" : "bad"}
          aria-label={t(by > 0 ? "up" : "down", { count: Math.abs(by) })}
        >
          {by > 0 ? ` ▲${by}` : ` ▼${-by}`}
        </small>
      )}
    </>
  );
}

/** The stages of the last ranking: a search is repeated without phrases that no text has. */
function lastRun(spans: readonly WireSpan[]): readonly WireSpan[] {
  return spans.slice(spans.findLastIndex(({ stage }) => stage === "query_processing") + 1);
}

/** The candidates of a stage. Anyone may have changed the file that they are from. */
function candidatesOf({ candidates }: Facts): readonly WireCandidate[] {
  if (!Array.isArray(candidates)) return [];
  return candidates.filter((one): one is WireCandidate =>
    typeof one === "object" && one !== null && typeof one.chunk === "string" &&
    typeof one.rank === "number" && typeof one.score === "number" &&
    (one.path === undefined || typeof one.path === "string")
  );
}
