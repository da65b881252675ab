import { describe, expect, it } from 'vitest';

import { showPortalName, showScreenTitle } from '../../lib/pageTitle';
import { renderPortal } from '../../test/render';
import { PatientBanner } from './PatientBanner';

const patient = { lastName: 'OKONKWO', firstName: 'AISHA' };

describe('The title of a screen about a patient', () => {
  it.each([
    [false, 'Requisition · Lakeside Lab'],
    [true, 'Requisition · OKONKWO, AISHA · Lakeside Lab'],
  ])('names the patient if the computer allows it: %s', async (namesInTitles, title) => {
    showScreenTitle('Requisition');
    showPortalName('Lakeside Lab');
    const { unmount } = await renderPortal(<PatientBanner patient={patient} />, {
      capabilities: { host: 'desktop', namesInTitles },
    });
    expect(document.title).toBe(title);
    unmount();
    expect(document.title).toBe('Requisition · Lakeside Lab');
  });
});
