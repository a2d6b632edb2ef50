/** Texts that stand in place of a result, or above it. */
import type { ComponentChildren } from "preact";

/** A remark: news, a warning or an error, which screen readers say at once. */
export function Notice({ kind = "info", children }: {
  readonly kind?: "info" | "warning" | "error";
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === "error" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** An error of a call. */
export function Failure({ error }: { readonly error: unknown }) {
  return <Notice kind="error">{error instanceof Error ? error.message : String(error)}</Notice>;
}

/** Says that there is nothing, and what to do. */
export function Empty({ title, children }: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  );
}
