import { Withholding, type Wire } from '../../../contract';

interface ReleasedNoteProps {
  /** The released value; null if there is none, or if it is hidden from the user. */
  result: string | null;
  withheld: Wire<'EntryWithholding'> | null;
}

/** What readers of the report will see of a result that is corrected. */
export function ReleasedNote({ result, withheld }: ReleasedNoteProps) {
  if (result === null) return null;
  const texts = withheld === null ? RELEASED : WITHHELD[withheld.kind];
  return (
    <p>
      {texts.state}: <strong>{result}</strong>. {texts.readers}
    </p>
  );
}

const RELEASED = {
  state: 'Released',
  readers: 'Readers of the report will see it beside the correction.',
};
const WITHHELD: Readonly<Record<Withholding, typeof RELEASED>> = {
  // The release of a correction ends the review (ADR 55).
  [Withholding.REVIEW]: {
    state: 'Under review',
    readers:
      'Readers of the report see no result during the review. The release of the correction ends it, and they will see this value beside the correction.',
  },
  [Withholding.WITHDRAWN]: {
    state: 'Withdrawn',
    readers: 'Readers of the report will not see it, only that it was corrected, and why.',
  },
};
