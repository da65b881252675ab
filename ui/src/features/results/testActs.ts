import { messages, Withholding } from '../../contract';
import type { TestAct } from './api';

/** What the user reads when an act on the saved result of a test is done. */
export function describeTestAct(act: TestAct): string {
  switch (act.path) {
    case 'withhold':
      return act.body.kind === Withholding.REVIEW
        ? messages.RESULT_REVIEW_BEGUN
        : messages.RESULT_TAKEN_BACK;
    case 'restore':
      return messages.RESULT_REVIEW_ENDED;
    case 'holds':
      return act.body.everyOrder ? messages.RESULT_HELD_EVERYWHERE : messages.RESULT_HELD;
    default:
      return messages.RESULT_HOLD_LIFTED;
  }
}
