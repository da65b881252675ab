import { describe, expect, it } from 'vitest';

import { Withholding } from '../../contract';
import { describeWithheld } from './withheld';

describe('A withheld result', () => {
  it('says since when', () => {
    expect(describeWithheld(Withholding.WITHDRAWN, '2026-11-20T10:00:00')).toBe(
      'WITHDRAWN 11/20/2026 10:00 AM',
    );
  });

  it('says that the time is not recorded', () => {
    expect(describeWithheld(Withholding.REVIEW, null)).toBe('UNDER REVIEW (time not recorded)');
  });
});
