/** Whether a text contains every typed word, ignoring case. */
export function containsWords(text: string, typedText: string): boolean {
  const words = typedText.trim().toUpperCase().split(/\s+/);
  return words.every((word) => text.toUpperCase().includes(word));
}
