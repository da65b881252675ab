/** Replaces the content of an input and puts the caret at `caret`, or at the end if null. */
export function replaceText(input: HTMLInputElement, text: string, caret: number | null): string {
  if (input.value !== text) {
    input.value = text;
    if (caret !== null) input.setSelectionRange(caret, caret);
  }
  return text;
}

/** Converts the content of an input to upper case. */
export const capitalize = (input: HTMLInputElement): string =>
  replaceText(input, input.value.toUpperCase(), input.selectionStart);
