import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createChangeStream } from '../../../test/portal';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  getRow,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';

const LAST = { previousDate: '2026-11-10T07:30:00', previousDays: 10, previousDifference: null };
const NOTHING = { previousResult: null, previousDate: null, previousDays: null };
const PATIENT = 7;
const OTHER_ORDER = 9;

describe('The last results of the patient', () => {
  it('follow changes of the other orders, and nothing typed is lost', async () => {
    const changes = createChangeStream();
    let glucose: object = { ...LAST, previousResult: '90' };
    let version = 3;
    const { user, requests, listSaves } = await renderEntry({
      'GET /api/v2/changes': changes.answer,
      // Somebody else has meanwhile entered the platelets of this order.
      [`GET ${RESULT_ENTRY_PATH}`]: () =>
        buildResultEntry([version === 3 ? {} : { result: '250', ...entered }, glucose], version),
      [`PUT ${RESULT_ENTRY_PATH}`]: () => buildResultEntry([{}, { result: '99', ...entered }], 5),
    });
    expect(getRow('GLUCOSE')).toHaveTextContent('90 11/10/2026');
    await user.type(await findResult('GLUCOSE'), '99');
    expect(getRow('GLUCOSE')).toHaveTextContent('+10 %');

    version = 4;
    glucose = { ...LAST, previousResult: '110' };
    changes.announce({ kind: 'order', id: OTHER_ORDER, version: 2, patientId: PATIENT });
    await waitFor(() => expect(getRow('GLUCOSE')).toHaveTextContent('110 11/10/2026'));
    expect(getRow('GLUCOSE')).toHaveTextContent('-10 %');

    glucose = NOTHING;
    changes.announce({ kind: 'order', id: OTHER_ORDER, version: 3, patientId: PATIENT });
    await waitFor(() => expect(getRow('GLUCOSE')).not.toHaveTextContent('11/10/2026'));
    expect(await findResult('GLUCOSE')).toHaveValue('99');
    expect(await findResult('PLATELETS')).toHaveValue('');

    const loads = () =>
      requests.filter(({ path, method }) => method === 'GET' && path === RESULT_ENTRY_PATH);
    expect(loads()).toHaveLength(3);
    // The version is still that of the typed values, so what others entered is a conflict.
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves()).toHaveLength(1));
    expect(listSaves()[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('do not ask again after changes of other patients or of the order itself', async () => {
    const changes = createChangeStream();
    let loadCount = 0;
    await renderEntry({
      'GET /api/v2/changes': changes.answer,
      [`GET ${RESULT_ENTRY_PATH}`]: () => {
        loadCount += 1;
        return buildResultEntry([{}, { ...LAST, previousResult: String(90 + loadCount) }]);
      },
    });
    changes.announce({ kind: 'order', id: 12, version: 4, patientId: PATIENT });
    changes.announce({ kind: 'order', id: 5, version: 4, patientId: PATIENT + 1 });
    changes.announce({ kind: 'order', id: OTHER_ORDER, version: 4, patientId: PATIENT });
    await waitFor(() => expect(getRow('GLUCOSE')).toHaveTextContent('92 11/10/2026'));
    expect(loadCount).toBe(2);
  });
});
