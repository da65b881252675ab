/** How to compare the lines of a list with a typed text. */
export interface Matching<Line> {
  /** Whether the text is a line's complete code or name. */
  isExact: (line: Line, text: string) => boolean;
  /** Whether a line matches the text, which may mean words that it does not show. Default: yes. */
  isMatch?: ((line: Line, text: string) => boolean) | undefined;
}

/** Whether two texts are equal, apart from case and outer spaces. */
export const isSameText = (text: string, other: string): boolean =>
  text.trim().toUpperCase() === other.trim().toUpperCase();

/** What a typed text means, given the lines of a list. */
export interface Meaning<Line> {
  /** The line that the text certainly means: the only exact match, or else the only match. */
  line: Line | undefined;
  /** Whether several lines match the whole text or some words, so that a person must choose. */
  doubt: 'none' | 'exact' | 'partial';
}

/** Finds what a text means among the lines that a search has found. */
export function findMeaning<Line>(
  lines: readonly Line[],
  text: string,
  { isExact, isMatch = () => true }: Matching<Line>,
): Meaning<Line> {
  const [exact, ...otherExact] = lines.filter((line) => isExact(line, text));
  if (exact !== undefined) {
    const isOnly = otherExact.length === 0;
    return isOnly ? { line: exact, doubt: 'none' } : { line: undefined, doubt: 'exact' };
  }
  const matches = lines.filter((line) => isMatch(line, text));
  if (lines.length === 1) return { line: matches[0], doubt: 'none' };
  return { line: undefined, doubt: matches.length > 0 ? 'partial' : 'none' };
}
