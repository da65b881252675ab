/** How the lines of a list match a typed text. */
export interface Matching<Line> {
  /** Whether the text is a line's complete code or name. */
  isExact: (line: Line, text: string) => boolean;
  /** Whether a line contains the text; some match by what they do not show. Default: it does. */
  isMeant?: ((line: Line, text: string) => boolean) | undefined;
}

/** Whether two texts are equal, apart from case and outer spaces. */
export const isSameText = (text: string, other: string): boolean =>
  text.trim().toUpperCase() === other.trim().toUpperCase();

/** The line that a text means without doubt: its only exact match, or else its only match. */
export function findCertain<Line>(
  lines: readonly Line[],
  text: string,
  { isExact, isMeant = () => true }: Matching<Line>,
): Line | undefined {
  const exactLines = lines.filter((line) => isExact(line, text));
  const [line, ...others] = exactLines.length > 0 ? exactLines : lines;
  if (line === undefined || others.length > 0) return undefined;
  return exactLines.length > 0 || isMeant(line, text) ? line : undefined;
}

/**
 * Whether a text may mean several lines, so that a person must choose. With `leavesExact`, lines
 * with the same code are not a doubt, but an error that the caller reports.
 */
export function isDoubtful<Line>(
  lines: readonly Line[],
  text: string,
  { isExact, isMeant = () => true }: Matching<Line>,
  leavesExact: boolean,
): boolean {
  if (lines.length < 2) return false;
  const exactCount = lines.filter((line) => isExact(line, text)).length;
  if (exactCount > 0) return exactCount > 1 && !leavesExact;
  return lines.some((line) => isMeant(line, text));
}
