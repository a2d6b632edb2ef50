interface Field {
  instruction: string;
  /** Before its separator a field has its instruction, after it its result. */
  inResult: boolean;
  /** Where its result begins in the parts of the paragraph. */
  from: number;
}

/** Follows the fields of a document: their instructions are no text, their results are. */
export class Fields {
  readonly #open: Field[] = [];

  /** Whether what comes is part of an instruction. */
  get hidden(): boolean {
    return this.#open.some((field) => !field.inResult);
  }

  /** A field that goes on in a new paragraph begins at its start. */
  newParagraph(): void {
    for (const field of this.#open) field.from = 0;
    // An instruction has one paragraph; a field whose separator is lost must not hide the rest of the document.
    while (this.#open.length > 0 && !this.#open.at(-1)!.inResult) this.#open.pop();
  }

  instruction(text: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && !field.inResult && field.instruction.length < 5000) field.instruction += text;
  }

  /** Follows a mark: `begin`, `separate` or `end`. At the end of a link gives its address and where it began. */
  mark(type: string | undefined, at: number): { readonly from: number; readonly link: string } | undefined {
    if (type === "begin" && this.#open.length < 100) {
      this.#open.push({ instruction: "", inResult: false, from: at });
    }
    const field = this.#open.at(-1);
    if (field === undefined) return undefined;
    if (type === "separate") {
      field.inResult = true;
      field.from = at;
    } else if (type === "end") {
      this.#open.pop();
      const link = /^\s*HYPERLINK\s+"([^"]*)"/i.exec(field.instruction)?.[1];
      if (link !== undefined && field.inResult) return { from: field.from, link };
    }
    return undefined;
  }
}
