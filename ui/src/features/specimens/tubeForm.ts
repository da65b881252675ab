import { messages, SpecimenState } from '../../contract';
import { isDateTime, readDateTime, writeDateTime } from '../../lib/dateTimes';
import type { DueTube, Specimen, TubeWrite } from './api';

/** A tube with the lab's remarks; an empty text means that there is none. */
export interface TubeValues extends DueTube {
  state: SpecimenState;
  conditions: readonly string[];
  conditionWords: string;
  reason: string;
  reasonWords: string;
  /** A date with or without a time (`lib/dateTimes`). */
  collectedAt: string;
  /** Whether a test that is not canceled needs it. */
  isNeeded: boolean;
  /** Whether it was requested because an earlier tube was rejected. */
  isReplacement: boolean;
}

const OTHER = 'OTHER';

/** A tube that arrives in good condition. */
export const toReceivedTube = ({ number, container, specimen }: DueTube): TubeValues => ({
  number,
  container,
  specimen,
  state: SpecimenState.RECEIVED,
  conditions: [],
  conditionWords: '',
  reason: '',
  reasonWords: '',
  collectedAt: '',
  isNeeded: true,
  isReplacement: false,
});

/** A tube of an order as it is stored. */
export const toTubeValues = (tube: Specimen): TubeValues => ({
  ...toReceivedTube(tube),
  state: tube.state,
  conditions: tube.conditionCodes,
  conditionWords: tube.conditionWords ?? '',
  collectedAt: readDateTime(tube.collectedAt),
  isNeeded: tube.isNeeded,
  isReplacement: tube.isReplacement,
});

export const toTubeWrite = (tube: TubeValues): TubeWrite => {
  const isRejected = tube.state === SpecimenState.REJECTED;
  return {
    number: tube.number,
    state: tube.state,
    conditions: tube.state === SpecimenState.EXPECTED ? [] : [...tube.conditions],
    conditionWords: tube.conditionWords.trim() || null,
    reason: isRejected ? tube.reason : null,
    reasonWords: isRejected ? tube.reasonWords.trim() || null : null,
    collectedAt: writeDateTime(tube.collectedAt),
  };
};

/** What is missing or invalid in the fields of a tube. */
export type TubeErrors = Partial<
  Record<'reason' | 'reasonWords' | 'conditionWords' | 'collectedAt', string>
>;

export function findTubeErrors(tube: TubeValues): TubeErrors {
  const errors: TubeErrors = {};
  if (tube.state === SpecimenState.REJECTED) {
    if (tube.reason === '') errors.reason = messages.REASON_UNKNOWN;
    if (tube.reason === OTHER && tube.reasonWords.trim() === '') {
      errors.reasonWords = messages.REASON_NEEDS_WORDS;
    }
  } else if (tube.conditions.includes(OTHER) && tube.conditionWords.trim() === '') {
    errors.conditionWords = messages.REASON_NEEDS_WORDS;
  }
  if (!isDateTime(tube.collectedAt)) errors.collectedAt = messages.DATE_INVALID;
  return errors;
}

export const hasTubeErrors = (tubes: readonly TubeValues[]): boolean =>
  tubes.some((tube) => Object.keys(findTubeErrors(tube)).length > 0);
