/** Whether a text contains every typed word, whatever the case. */
export function containsWords(text: string, typed: string): boolean {
  const words = typed.trim().toUpperCase().split(/\s+/);
  return words.every((word) => text.toUpperCase().includes(word));
}
