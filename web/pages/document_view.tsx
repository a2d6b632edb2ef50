/** One document as its index has it: facts, metadata, what is missing, pictures, and the chunks with their borders. */
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Loss,
  MOST_THUMBNAILS,
  type OneAnswer,
  type PicturesAnswer,
  type WireChunk,
  type WirePicture,
} from "#wire/documents.ts";
import type { ChangedAnswer } from "#wire/ingestion.ts";
import { call, session } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { Dialog } from "#web/components/dialog.tsx";
import { Link } from "#web/components/link.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { useAction, useLoaded } from "#web/load.ts";
import { change } from "#web/router.ts";
import { bytes, moment, number, textsOf } from "#web/texts.ts";
import { DOCUMENTS, LOSSES } from "#web/texts/documents.ts";

const t = textsOf(DOCUMENTS);

/** Chunks that are fetched at once. */
const CHUNKS = 30;

/** `onChange` is called when the document was taken out of the index. */
export function DocumentView({ path, onChange }: { readonly path: string; readonly onChange: () => void }) {
  const loaded = useLoaded(
    path,
    (signal) => call<OneAnswer>("documents/one", { path, offset: 0, limit: CHUNKS }, signal),
  );
  const [isOut, setIsOut] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error } = loaded;
  useEffect(() => heading.current?.focus(), [data === undefined]);
  return (
    <article class="document">
      <Button kind="link" onClick={() => change({ doc: undefined })}>{t("back")}</Button>
      <h2 ref={heading} tabIndex={-1}>
        <bdi>{data?.document.shownPath ?? path}</bdi>
      </h2>
      {error !== undefined && (
        <>
          <Failure error={error} />
          <p>{t("not_in_index")}</p>
        </>
      )}
      {data !== undefined && (
        <>
          <Actions
            answer={data}
            isOut={isOut}
            onOut={() => {
              setIsOut(true);
              onChange();
            }}
          />
          <Facts answer={data} isOut={isOut} />
          <h3>{t("lost")}</h3>
          {data.losses.length === 0
            ? <p>{t("nothing_lost")}</p>
            : <ul>{data.losses.map((loss, at) => <li key={at}>{lossText(loss)}</li>)}</ul>}
          <h3>{t("metadata")}</h3>
          {data.metadata.length === 0 ? <p>{t("no_metadata")}</p> : (
            <dl class="facts">
              {data.metadata.map(({ name, value }, at) => [
                <dt key={`${at} name`}>
                  <bdi>{name}</bdi>
                </dt>,
                <dd key={at}>
                  <bdi>{value}</bdi>
                </dd>,
              ])}
            </dl>
          )}
          {data.document.pictures > 0 && <Pictures path={path} count={data.document.pictures} />}
          <Chunks key={data.sha256} first={data} />
        </>
      )}
    </article>
  );
}

function Actions({ answer, isOut, onOut }: {
  readonly answer: OneAnswer;
  readonly isOut: boolean;
  /** Called when the document was taken out of the index. */
  readonly onOut: () => void;
}) {
  const { path, shownPath, collection } = answer.document;
  const [isAsking, setIsAsking] = useState(false);
  const { error, run } = useAction();
  const { ingest, reveal } = session.value!.can;
  const takeOut = () => {
    setIsAsking(false);
    run(() => call<ChangedAnswer>("ingestion/take_out", { paths: [path] }).then(onOut));
  };
  return (
    <>
      <p class="actions">
        <Link page="search" state={{ folder: collection, path: `/${shownPath}` }}>{t("search_in")}</Link>
        {reveal && <Button onClick={() => run(() => call("session/reveal", { path }))}>{t("reveal")}</Button>}
        {ingest && !isOut && <Button kind="danger" onClick={() => setIsAsking(true)}>{t("take_out")}</Button>}
      </p>
      {error !== undefined && <Failure error={error} />}
      {isOut && <Notice>{t("taken_out")}</Notice>}
      {isAsking && (
        <Dialog title={t("take_out_title")} onClose={() => setIsAsking(false)}>
          <p>
            <bdi>{shownPath}</bdi>
          </p>
          <p>{t("take_out_text")}</p>
          <Button kind="danger" onClick={takeOut}>{t("take_out")}</Button>
        </Dialog>
      )}
    </>
  );
}

function Facts({ answer: { document, sha256, encoding }, isOut }: {
  readonly answer: OneAnswer;
  readonly isOut: boolean;
}) {
  const { path, state, reason, title, kind, size, modified, pages, chunks, pictures, tags } = document;
  const facts: readonly (readonly [name: keyof typeof DOCUMENTS, value: string | undefined])[] = [
    ["full_path", path],
    ["title", title],
    ["state", t(isOut ? "skipped" : state)],
    ["reason", reason],
    ["kind", kind],
    ["size", size === undefined ? undefined : bytes(size)],
    ["modified", modified === undefined ? undefined : moment(modified)],
    ["pages", pages === undefined ? undefined : number(pages)],
    ["chunks", number(chunks)],
    ["pictures", number(pictures)],
    ["tag", tags.length === 0 ? undefined : tags.join(", ")],
    ["encoding", encoding],
    ["sha256", sha256 === "" ? undefined : sha256],
  ];
  return (
    <dl class="facts" aria-label={t("facts")}>
      {facts.filter(([, value]) => value !== undefined).map(([name, value]) => [
        <dt key={`${name} name`}>{t(name)}</dt>,
        <dd key={name}>
          <bdi>{value}</bdi>
        </dd>,
      ])}
    </dl>
  );
}

function lossText({ key, count, at, reason }: Loss): string {
  const known = LOSSES[key];
  const params = { ...(count !== undefined && { count }), at: at ?? "", reason: reason ?? "" };
  if (known === undefined) return [key, count, at, reason].filter((part) => part !== undefined).join(" ");
  return textsOf({ loss: known })("loss", params);
}

function Chunks({ first }: { readonly first: OneAnswer }) {
  const { path, chunks: total } = first.document;
  const [chunks, setChunks] = useState(first.chunks);
  const { error, run } = useAction();
  const more = async () => {
    const answer = await call<OneAnswer>("documents/one", { path, offset: chunks.length, limit: CHUNKS });
    setChunks([...chunks, ...answer.chunks]);
  };
  return (
    <section aria-label={t("chunk_list")}>
      <h3>{t("chunk_list")}</h3>
      {chunks.map((chunk, at) => <Chunk key={chunk.chunkId} chunk={chunk} number={at + 1} total={total} />)}
      {error !== undefined && <Failure error={error} />}
      {chunks.length < total && <Button onClick={() => run(more)}>{t("more")}</Button>}
    </section>
  );
}

function Chunk({ chunk, number: at, total }: {
  readonly chunk: WireChunk;
  readonly number: number;
  readonly total: number;
}) {
  const { start, end, startLine, endLine, section, page, rows, tokens, language: written, shared } = chunk;
  const { lead, text, generated } = chunk;
  const facts = [
    t("lines", { start: startLine, end: endLine }),
    t("characters", { start, end }),
    ...(page === undefined ? [] : [t("page", { page })]),
    ...(rows === undefined ? [] : [t("rows", { first: rows[0], last: rows[1] })]),
    t("tokens", { count: tokens }),
    written,
    ...(shared > 0 ? [t("shared", { count: shared })] : []),
  ];
  return (
    <section class="chunk" aria-label={t("chunk", { number: at, total })}>
      <header>
        <strong>{t("chunk", { number: at, total })}</strong> <span class="muted">{facts.join(" · ")}</span>
      </header>
      {section.length > 0 && <p class="section">{section.join(" › ")}</p>}
      {lead !== undefined && <p class="lead" title={t("lead")}>{lead}</p>}
      <p class="whole">
        {shared > 0 && <span class="shared">{text.slice(0, shared)}</span>}
        {text.slice(shared)}
      </p>
      {generated !== undefined && (
        <p class="remark">
          {t("generated", { model: generated.model })}:{" "}
          {[generated.title, generated.summary, ...generated.questions ?? [], generated.tags?.join(", ")]
            .filter((text) => text !== undefined).join(" · ")}
        </p>
      )}
    </section>
  );
}

/** Thumbnails, some at a time. */
function Pictures({ path, count }: { readonly path: string; readonly count: number }) {
  const [shown, setShown] = useState(Math.min(count, MOST_THUMBNAILS));
  const parts = Array.from({ length: Math.ceil(shown / MOST_THUMBNAILS) }, (_, part) => part);
  return (
    <section aria-label={t("pictures")}>
      <h3>{t("pictures")}</h3>
      <div class="pictures">
        {parts.map((part) => (
          <Thumbnails
            key={part}
            path={path}
            from={part * MOST_THUMBNAILS + 1}
            to={Math.min(count, (part + 1) * MOST_THUMBNAILS)}
          />
        ))}
      </div>
      {shown < count && (
        <Button onClick={() => setShown(Math.min(count, shown + MOST_THUMBNAILS))}>
          {t("more_pictures")}
        </Button>
      )}
    </section>
  );
}

function Thumbnails(
  { path, from, to }: { readonly path: string; readonly from: number; readonly to: number },
) {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const { data, error } = useLoaded(
    `${path} ${from}`,
    (signal) => call<PicturesAnswer>("documents/pictures", { path, numbers }, signal),
  );
  if (error !== undefined) return <Failure error={error} />;
  return <>{data?.pictures.map((picture) => <Thumbnail key={picture.number} picture={picture} />)}</>;
}

function Thumbnail(
  { picture: { number: at, page, caption, image, problem = "" } }: { readonly picture: WirePicture },
) {
  const name = page === undefined ? t("picture", { number: at }) : t("picture_of_page", { number: at, page });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (image === undefined) return;
    const made = URL.createObjectURL(new Blob([bytesOf(image.data)], { type: image.mediaType }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [image?.data]);
  return (
    <figure>
      {image === undefined
        ? <p class="muted">{t("not_shown", { reason: problem })}</p>
        : address !== undefined && <img src={address} alt={caption ?? name} loading="lazy" />}
      <figcaption>
        {name}
        {caption !== undefined && <small class="block">{caption}</small>}
      </figcaption>
    </figure>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
