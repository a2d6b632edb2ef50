/** One hit of a search: where it stands, how well it fits, its text with marks. */
import type { ComponentChildren } from "preact";
import type { WireHit, WirePlace } from "#wire/search.ts";
import { Degree } from "#web/components/degree.tsx";
import { Marked } from "#web/components/marked.tsx";
import { textsOf } from "#web/texts.ts";
import { SEARCH } from "#web/texts/search.ts";

const t = textsOf(SEARCH);

export function Hit({ hit, number, isOpen = false, onOpen, children }: {
  readonly hit: WireHit;
  /** Its place in the list, counted from 1. */
  readonly number: number;
  /** Whether its original is shown. */
  readonly isOpen?: boolean;
  readonly onOpen?: () => void;
  /** Further actions. */
  readonly children?: ComponentChildren;
}) {
  const {
    shownPath,
    collection,
    section,
    sectionMarks,
    content,
    marks,
    generated,
    also,
  } = hit;
  const title = <bdi>{shownPath}</bdi>;
  return (
    <article
      class="hit"
      tabIndex={-1}
      aria-label={`${number}. ${shownPath}`}
      aria-current={isOpen || undefined}
    >
      <header>
        <h3>
          <span class="number">{number}</span>
          {onOpen === undefined ? title : (
            <button type="button" class="link" onClick={onOpen}>
              {title}
            </button>
          )}
        </h3>
        <Degree degree={hit.degree} />
        <span class="muted">{placeText(hit)}</span>
        {collection !== "" && (
          <span class="muted">
            <bdi>{collection}</bdi>
          </span>
        )}
      </header>
      {section.length > 0 && (
        <p class="section">
          {section.map((heading, at) => (
            <span key={at}>
              {at > 0 && " › "}
              <Marked text={heading} marks={sectionMarks[at] ?? []} />
            </span>
          ))}
        </p>
      )}
      <p class="text">
        <Marked text={content} marks={marks} />
      </p>
      {hit.outdated && <p class="remark">{t("outdated")}</p>}
      {hit.recognised && <p class="remark">{t("recognised")}</p>}
      {generated?.summary !== undefined && <p class="remark">{t("generated", { text: generated.summary })}
      </p>}
      {also.length > 0 && (
        <p class="remark">
          {t("also")} {also.map((place) => `${place.path} (${placeText(place)})`).join(
            ", ",
          )}
        </p>
      )}
      {children}
    </article>
  );
}

/** Where a text stands in its file: its page, else its lines. */
export function placeText(
  { page, pageLabel, startLine, endLine, ...place }:
    & WirePlace
    & Partial<WireHit>,
): string {
  const { pages } = place;
  if (pageLabel !== undefined) return pageLabel;
  if (pages !== undefined && pages[0] !== pages[1]) {
    return t("pages", { first: pages[0], last: pages[1] });
  }
  if (page !== undefined) return t("page", { page });
  return t("lines", { start: startLine, end: endLine });
}
