const SHOWN = 3;

interface TestCodesProps {
  codes: readonly string[];
  /** The names of the same tests, in the same order. */
  names: readonly string[];
}

/**
 * The codes of the first tests of a record and the number of the others. A grid shows all of them,
 * with their names, while the cell is hovered or has the focus.
 */
export function TestCodes({ codes, names }: TestCodesProps) {
  if (codes.length === 0) return names.join(', ');
  const hidden = codes.length - SHOWN;
  return (
    <span data-tip={codes.map((code, index) => `${code} · ${names[index] ?? ''}`).join('\n')}>
      {codes.slice(0, SHOWN).join(', ')}{' '}
      {hidden > 0 ? <span className="quiet">+{hidden}</span> : null}
    </span>
  );
}
