/** Replaces the content of an input and puts the caret at `caret`, or at the end if null. */
export function replaceText(input: HTMLInputElement, text: string, caret: number | null): string {
  if (input.value !== text) {
    input.value = text;
    if (caret !== null) input.setSelectionRange(caret, caret);
  }
  return text;
}

/** Converts the content of an input to upper case. The caret stays behind the same letter. */
export function capitalize(input: HTMLInputElement): string {
  const { value, selectionStart } = input;
  // Some letters become two: 'ß' is 'SS'.
  const caret =
    selectionStart === null ? null : value.slice(0, selectionStart).toUpperCase().length;
  return replaceText(input, value.toUpperCase(), caret);
}
