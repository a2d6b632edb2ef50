/** The page Ingestion: updates of the folders with their progress, and the files that are kept out. */
import { useEffect, useState } from "preact/hooks";
import type {
  ChangedAnswer,
  IngestionAnswer,
  OutAnswer,
  StartAnswer,
  WireFolder,
  WireRun,
} from "#wire/ingestion.ts";
import { call, session } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { Dialog } from "#web/components/dialog.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { useAction, useLoaded } from "#web/load.ts";
import { ProgressOf, RunView, useRun } from "#web/pages/ingestion_run.tsx";
import { Upload } from "#web/pages/upload.tsx";
import { change, route } from "#web/router.ts";
import { moment, textsOf } from "#web/texts.ts";
import { INGESTION } from "#web/texts/ingestion.ts";

const t = textsOf(INGESTION);

/** Milliseconds between two looks for updates that others have begun. */
const LOOK_MS = 2000;

export default function IngestionPage() {
  const state = useLoaded("state", (signal) => call<IngestionAnswer>("ingestion/state", {}, signal));
  const [last, setLast] = useState<IngestionAnswer>();
  const [ticks, setTicks] = useState(0);
  const { data, error, isLoading, reload } = state;
  useEffect(() => data && setLast(data), [data]);
  useEffect(() => {
    if (isLoading) return;
    // A tab that nobody sees asks for nothing.
    const timer = setTimeout(() => document.hidden ? setTicks(ticks + 1) : reload(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [isLoading, ticks]);
  if (session.value?.can.ingest !== true) return <Empty title={t("not_allowed")} />;
  const shown = data ?? last;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {shown?.folders.map((folder) => (
        <Folder
          key={folder.root}
          folder={folder}
          runs={shown.runs.filter((run) => run.folder === folder.name)}
          onChange={reload}
        />
      ))}
    </>
  );
}

function Folder({ folder, runs, onChange }: {
  readonly folder: WireFolder;
  /** The latest first. */
  readonly runs: readonly WireRun[];
  readonly onChange: () => void;
}) {
  const { name, root, hasIndex, work, out, upload } = folder;
  const { error, run: act } = useAction();
  const [isAsking, setIsAsking] = useState(false);
  const [joined, setJoined] = useState<string>();
  const wanted = route.value.state["run"];
  const listed = runs.find(({ id }) => id === wanted) ?? runs[0];
  const run = useRun(listed);
  const isRunning = run !== undefined && run.run.ended === undefined;
  const start = (full: boolean) => {
    setIsAsking(false);
    act(async () => {
      const answer = await call<StartAnswer>("ingestion/start", { folder: name, full });
      setJoined(answer.isNew ? undefined : answer.run.id);
      change({ run: answer.run.id, end: undefined, text: undefined });
      onChange();
    });
  };
  return (
    <section class="folder" aria-label={name}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="muted">
        <bdi>{root}</bdi>
      </p>
      {!hasIndex && !isRunning && <p>{t("no_index")}</p>}
      <p class="actions">
        <Button kind="main" disabled={isRunning} onClick={() => start(false)}>
          {t(hasIndex ? "update" : "index")}
        </Button>
        {hasIndex && <Button disabled={isRunning} onClick={() => setIsAsking(true)}>{t("full")}</Button>}
        {isRunning && (
          <Button
            kind="danger"
            onClick={() => act(() => call("ingestion/cancel", { run: run.run.id }))}
          >
            {t("cancel")}
          </Button>
        )}
      </p>
      {isAsking && (
        <Dialog title={t("full_title", { folder: name })} onClose={() => setIsAsking(false)}>
          <p>{t("full_text")}</p>
          <Button kind="main" onClick={() => start(true)}>{t("full")}</Button>
        </Dialog>
      )}
      {error !== undefined && <Failure error={error} />}
      {work !== undefined && !isRunning && (
        <>
          <Notice>{t(work.isElsewhere ? "by_other" : "by_background")}</Notice>
          {work.progress !== undefined && <ProgressOf progress={work.progress} />}
        </>
      )}
      {joined !== undefined && joined === run?.run.id && <Notice>{t("joined")}</Notice>}
      {run !== undefined && <RunView key={run.run.id} run={run.run} isLost={run.isLost} onEnd={onChange} />}
      {runs.length > 1 && (
        <details>
          <summary>{t("runs")} ({runs.length})</summary>
          <ul>
            {runs.map(({ id, began }) => (
              <li key={id}>
                <Button kind="link" onClick={() => change({ run: id, end: undefined, text: undefined })}>
                  {t("began", { at: moment(began) })}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {upload !== undefined && (
        <Upload
          folder={name}
          maxBytes={upload.maxBytes}
          onDone={(id) => {
            change({ run: id });
            onChange();
          }}
        />
      )}
      {out > 0 && <Out folder={name} count={out} onChange={onChange} />}
    </section>
  );
}

/** The files that the user took out of an index. */
function Out({ folder, count, onChange }: {
  readonly folder: string;
  readonly count: number;
  readonly onChange: () => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, error } = useLoaded(
    isOpen ? `${folder} ${count}` : undefined,
    (signal) => call<OutAnswer>("ingestion/out", { folder }, signal),
  );
  const { error: failure, run } = useAction();
  const give = (paths: readonly string[]) =>
    run(() => call<ChangedAnswer>("ingestion/give_back", { folder, paths }).then(onChange));
  const paths = data?.paths ?? [];
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t("out")} ({count})</summary>
      <p>{t("out_text", { count })}</p>
      {(error ?? failure) !== undefined && <Failure error={error ?? failure} />}
      <ul>
        {paths.slice(0, SHOWN).map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>{" "}
            <Button kind="link" label={t("give_back_one", { path })} onClick={() => give([path])}>
              {t("give_back")}
            </Button>
          </li>
        ))}
      </ul>
      {paths.length > SHOWN && <p>…</p>}
      {paths.length > 1 && <Button onClick={() => give(paths.slice(0, SHOWN))}>{t("give_back_all")}</Button>}
    </details>
  );
}

/** Files of a list that are shown, and given back at once. */
const SHOWN = 1000;
