/** The original of a hit, beside the hits: a PDF as its pages, everything else as the text that was indexed. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { OpenedOriginal } from "#wire/originals.ts";
import type { WireHit } from "#wire/search.ts";
import { call, session } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { useLoaded } from "#web/load.ts";
import { PdfView } from "#web/original/pdf_view.tsx";
import { TextView } from "#web/original/text_view.tsx";
import { textsOf } from "#web/texts.ts";
import { ORIGINAL } from "#web/texts/original.ts";

const t = textsOf(ORIGINAL);

export default function Original({ hit, onClose }: { readonly hit: WireHit; readonly onClose: () => void }) {
  const [asText, setAsText] = useState(false);
  const { path, startLine: line, chunkId } = hit;
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), []);
  // Most PDFs are known by their names, and begin at once.
  const isNamed = !asText && /\.pdf$/i.test(path);
  const { data, error } = useLoaded(
    isNamed ? undefined : JSON.stringify([path, chunkId, asText]),
    (signal) => call<OpenedOriginal>("originals/open", { path, line, asText }, signal),
  );
  const isPages = isNamed || !asText && data?.kind === "pdf";
  return (
    <section ref={section} class="original" aria-label={t("original", { name: hit.shownPath })}>
      <header class="actions">
        <h2>
          <bdi>{hit.shownPath}</bdi>
        </h2>
        <span class="spread" />
        {(isPages || asText) && (
          <Button onClick={() => setAsText(!asText)}>{t(asText ? "as_pages" : "as_text")}</Button>
        )}
        <CopyCitation key={chunkId} text={hit.citation} />
        {session.value?.can.reveal && <Reveal key={path} path={path} />}
        <Button onClick={onClose}>{t("close")}</Button>
      </header>
      {error !== undefined && <Failure error={error} />}
      {error === undefined && data === undefined && !isPages && <p role="status">{t("loading")}</p>}
      {isPages && <PdfView hit={hit} />}
      {error === undefined && !isPages && data?.kind === "text" && <TextView opened={data} hit={hit} />}
    </section>
  );
}

function CopyCitation({ text }: { readonly text: string }) {
  const [state, setState] = useState<"copied" | "refused">();
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => setState("copied"), () => setState("refused"));
  return (
    <>
      <Button onClick={() => void copy()}>{t(state === "copied" ? "copied" : "copy")}</Button>
      {state === "refused" && (
        <Notice>
          {t("not_copied")} <code>{text}</code>
        </Notice>
      )}
    </>
  );
}

function Reveal({ path }: { readonly path: string }) {
  const [error, setError] = useState<unknown>();
  return (
    <>
      <Button onClick={() => void call("session/reveal", { path }).catch(setError)}>{t("reveal")}</Button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
