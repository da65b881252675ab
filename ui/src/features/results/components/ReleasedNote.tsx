import { Withholding, type Wire } from '../../../contract';

interface ReleasedNoteProps {
  /** The released value; null if there is none, or if it is hidden from the user. */
  result: string | null;
  withheld: Wire<'EntryWithholding'> | null;
}

/** What readers of the report will see of a result that is corrected. */
export function ReleasedNote({ result, withheld }: ReleasedNoteProps) {
  if (result === null) return null;
  return (
    <p>
      {describeState(withheld)}: <strong>{result}</strong>.{' '}
      {withheld?.kind === Withholding.WITHDRAWN
        ? 'Readers of the report will not see it, only that it was corrected, and why.'
        : 'Readers of the report will see it beside the correction.'}
    </p>
  );
}

function describeState(withheld: ReleasedNoteProps['withheld']): string {
  if (withheld === null) return 'Released';
  return withheld.kind === Withholding.WITHDRAWN ? 'Withdrawn' : 'Under review';
}
