/** A row of an entry table with the unit of its test, and that of its stored result. */
interface UnitRow {
  unit: string | null;
  result: string | null;
  resultUnit: string | null;
}

/**
 * Whether a field shows a stored result from before the test got another unit. What is typed
 * instead is in the unit of now.
 */
export const isInOtherUnit = ({ unit, result, resultUnit }: UnitRow, typedText: string): boolean =>
  result !== null && typedText.trim() === result && resultUnit !== unit;
