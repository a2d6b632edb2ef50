/** The page Overview: what is in the indexes, which components made and search them, and whether all of it works. */
import { useState } from "preact/hooks";
import type { DoctorAnswer, LastRun, OverviewAnswer, WireCollection, WireComponent } from "#wire/overview.ts";
import { call } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { Link } from "#web/components/link.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { useAction, useLoaded } from "#web/load.ts";
import type { Page } from "#web/router.ts";
import { bytes, duration, moment, number, textsOf, wordFor } from "#web/texts.ts";
import { COMPONENTS, OVERVIEW } from "#web/texts/overview.ts";

const t = textsOf(OVERVIEW);

export default function OverviewPage() {
  const { data, error } = useLoaded("state", (signal) => call<OverviewAnswer>("overview/state", {}, signal));
  if (error !== undefined) return <Failure error={error} />;
  if (data === undefined) return null;
  return (
    <>
      <section>
        <Table
          caption={t("collections")}
          columns={collectionColumns()}
          rows={data.collections}
          keyOf={({ root }) => root}
        />
      </section>
      <section>
        <h2>{t("last")}</h2>
        <dl class="facts">
          <dt>{t("last_ingestion")}</dt>
          <dd>{runText(data.lastIngestion, "ingestion-traces")}</dd>
          <dt>{t("last_query")}</dt>
          <dd>{runText(data.lastQuery, "query-traces")}</dd>
        </dl>
      </section>
      <section>
        <Table
          caption={t("components")}
          columns={componentColumns()}
          rows={data.components}
          keyOf={({ stage }) => stage}
        />
      </section>
      {data.canCheck && <Check />}
    </>
  );
}

function collectionColumns(): readonly Column<WireCollection>[] {
  return [
    {
      key: "name",
      title: t("name"),
      cell: ({ name, root, description }) => (
        <>
          <Link page="documents" state={{ folder: name }}>
            <bdi>{name}</bdi>
          </Link>
          <br />
          <small>
            <bdi>{description ?? root}</bdi>
          </small>
        </>
      ),
    },
    {
      key: "state",
      title: t("state"),
      cell: ({ state, isUpdating }) => isUpdating ? t("updating") : t(state),
    },
    { key: "documents", title: t("documents"), isNumber: true, cell: ({ documents }) => number(documents) },
    { key: "chunks", title: t("chunks"), isNumber: true, cell: ({ chunks }) => number(chunks) },
    { key: "pictures", title: t("pictures"), isNumber: true, cell: ({ pictures }) => number(pictures) },
    {
      key: "not_indexed",
      title: t("not_indexed"),
      isNumber: true,
      // Those that were not opened are known only after a walk through the folder.
      cell: ({ name, notIndexed, state }) => (
        <>
          {notIndexed === 0
            ? number(0)
            : <Link page="documents" state={{ folder: name, sort: "chunks" }}>{number(notIndexed)}</Link>}
          {state === "ready" && (
            <small class="block">
              <Link page="documents" state={{ folder: name, state: "skipped" }}>{t("skipped")}</Link>
            </small>
          )}
        </>
      ),
    },
    {
      key: "languages",
      title: t("languages"),
      cell: ({ languages }) =>
        languages.map(({ language, chunks }) => `${language} ${number(chunks)}`).join(", "),
    },
    {
      key: "freshness",
      title: t("freshness"),
      cell: ({ indexedAt, newerFiles = 0 }) => (
        <>
          {indexedAt === undefined ? "–" : moment(indexedAt)}
          {newerFiles > 0 && <small class="block">{t("newer", { count: newerFiles })}</small>}
        </>
      ),
    },
    {
      key: "size",
      title: t("size"),
      isNumber: true,
      cell: ({ indexBytes }) => indexBytes === undefined ? "–" : bytes(indexBytes),
    },
    { key: "vectors", title: t("vectors"), cell: ({ model = "–" }) => model },
  ];
}

function componentColumns(): readonly Column<WireComponent>[] {
  return [
    { key: "stage", title: t("stage"), cell: ({ stage }) => wordOf(stage) },
    {
      key: "component",
      title: t("component"),
      cell: ({ method, provider }) =>
        [method, provider].filter((name) => name !== undefined).map(wordOf).join(", "),
    },
    { key: "model", title: t("model"), cell: ({ model = "–" }) => <bdi>{model}</bdi> },
    { key: "server", title: t("server"), cell: ({ server = "–" }) => <bdi>{server}</bdi> },
    {
      key: "settings",
      title: t("settings"),
      cell: ({ facts }) =>
        Object.entries(facts)
          .filter(([, value]) => !Array.isArray(value) || value.length > 0)
          .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : value}`).join("; "),
    },
  ];
}

/** The word for a stage, a method or a provider. */
function wordOf(name: string): string {
  return wordFor(name, COMPONENTS);
}

/** When a run was and how long it took, with a link to its trace. */
function runText(run: LastRun | undefined, page: Page) {
  if (run === undefined) return t("never");
  const at = moment(run.at);
  const text = run.ms === undefined ? at : t("took", { at, time: duration(run.ms) });
  return run.trace === undefined ? text : <Link page={page} state={{ trace: run.trace }}>{text}</Link>;
}

/** The findings of `doctor`, when the user asks for them. */
function Check() {
  const [findings, setFindings] = useState<DoctorAnswer>();
  const { error, isRunning, run } = useAction();
  const check = () => run(async () => setFindings(await call<DoctorAnswer>("overview/doctor", {})));
  return (
    <section>
      <h2>{t("check")}</h2>
      <p class="muted">{t("check_hint")}</p>
      <Button onClick={check} disabled={isRunning}>
        {t(isRunning ? "checking" : "run_check")}
      </Button>
      {error !== undefined && <Failure error={error} />}
      {findings !== undefined && (
        <>
          <Notice kind={findings.isWell ? "info" : "warning"}>{findings.verdict}</Notice>
          <dl class="facts" aria-label={t("findings")}>
            {findings.rows.map(({ label, text }, at) => [
              <dt key={`${at} label`}>{label}</dt>,
              <dd key={at}>{text}</dd>,
            ])}
          </dl>
        </>
      )}
    </section>
  );
}
