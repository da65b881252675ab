import { describe, expect, it } from 'vitest';

import { Role } from '../contract';
import { menuFor } from './menu';

const labels = (role: Role, resultEntry = false) =>
  menuFor(role, { resultEntry }).flatMap((group) => group.entries.map((entry) => entry.label));

describe('The menu', () => {
  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'lets %s search and make requisitions',
    (role) => {
      expect(labels(role)).toEqual(
        expect.arrayContaining(['Requisition Search', 'New Requisition']),
      );
    },
  );

  it('lets a physician search requisitions and make none', () => {
    expect(labels(Role.PHYSICIAN)).toContain('Requisition Search');
    expect(labels(Role.PHYSICIAN)).not.toContain('New Requisition');
  });

  it('offers a patient no requisitions', () => {
    expect(labels(Role.PATIENT)).not.toContain('Requisition Search');
  });

  it('shows Result Entry only when the lab allows it', () => {
    expect(labels(Role.LABORATORY, false)).not.toContain('Result Entry');
    expect(labels(Role.PATIENT, true)).not.toContain('Result Entry');
    expect(labels(Role.PHYSICIAN, true)).not.toContain('Result Entry');
  });

  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'shows Result Entry to %s as the portal says',
    (role) => {
      expect(labels(role, true)).toContain('Result Entry');
      expect(labels(role, false)).not.toContain('Result Entry');
    },
  );
});
