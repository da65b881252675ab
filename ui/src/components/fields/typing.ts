/** Writes `text` in place of what was typed, with the caret where it was and not at the end. */
export function rewrite(input: HTMLInputElement, text: string, caret: number | null): string {
  if (input.value !== text) {
    input.value = text;
    if (caret !== null) input.setSelectionRange(caret, caret);
  }
  return text;
}

/** Writes what was typed in capitals. */
export const capitalize = (input: HTMLInputElement): string =>
  rewrite(input, input.value.toUpperCase(), input.selectionStart);
