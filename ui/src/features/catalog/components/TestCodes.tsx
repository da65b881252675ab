const SHOWN = 3;

interface TestCodesProps {
  codes: readonly string[];
  /** The names of the same tests, in the same order. */
  names: readonly string[];
}

/** The codes of the first tests of a record and the number of the others; hovering names all. */
export function TestCodes({ codes, names }: TestCodesProps) {
  if (codes.length === 0) return names.join(', ');
  const hidden = codes.length - SHOWN;
  const title = codes.map((code, index) => `${code}  ${names[index] ?? ''}`).join('\n');
  return (
    <span title={title}>
      {codes.slice(0, SHOWN).join(', ')}
      {hidden > 0 ? ` +${hidden}` : ''}
    </span>
  );
}
