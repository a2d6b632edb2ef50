/** Controls with their labels. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Labelled {
  readonly label: string;
  /** A remark below the control. */
  readonly hint?: string;
}

/** A line of text. */
export function Field(
  { label, hint, value, onChange, type = "text", placeholder = "" }:
    & Labelled
    & {
      readonly value: string;
      /** Called when the user has finished. */
      readonly onChange: (value: string) => void;
      readonly type?: "text" | "date" | "number" | "password";
      readonly placeholder?: string;
    },
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...{ type } as { type: "text" }}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** Lines of text. */
export function TextArea({ label, hint, value, onChange }: Labelled & {
  readonly value: string;
  /** Called with every change. */
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        value={value}
        rows={8}
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** One of several values. */
export function Choice<Value extends string>(
  { label, hint, value, options, onChange }: Labelled & {
    readonly value: Value;
    readonly options: readonly {
      readonly value: Value;
      readonly text: string;
    }[];
    readonly onChange: (value: Value) => void;
  },
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            selected={option.value === value}
          >
            {option.text}
          </option>
        ))}
      </select>
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** A button. */
export function Button(
  { onClick, kind = "plain", disabled = false, label, children }: {
    readonly onClick: () => void;
    readonly kind?: "plain" | "main" | "danger" | "link";
    readonly disabled?: boolean;
    /** Its name where its text says too little. */
    readonly label?: string;
    readonly children: ComponentChildren;
  },
) {
  return (
    <button
      type="button"
      class={kind}
      disabled={disabled}
      onClick={onClick}
      aria-label={label}
    >
      {children}
    </button>
  );
}
