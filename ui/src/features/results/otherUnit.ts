/** A row of an entry table with the unit of its test, and that of its stored result. */
interface UnitRow {
  unit: string | null;
  result: string | null;
  resultUnit: string | null;
}

/**
 * Whether a field shows a stored result from before the test's unit changed. A newly typed result is
 * in the current unit.
 */
export const isInOtherUnit = ({ unit, result, resultUnit }: UnitRow, typedText: string): boolean =>
  result !== null && typedText.trim() === result && resultUnit !== unit;
