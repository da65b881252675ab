import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, ReasonKind, ResultStatus } from '../../../contract';
import { ReasonDialog, type ChosenReason } from '../../settings/components/ReasonDialog';
import { cancelTests, orderTestsQuery, type Order, type OrderedTest } from '../api';

interface CancelTestsDialogProps {
  order: Order;
  onClose: () => void;
  /** Called when tests were canceled, or the order has changed meanwhile. */
  onChanged: () => void;
}

const WIDTH_PX = 480;

/** Whether a test cannot be canceled because its result is released. */
const isReleased = ({ isPanel, canCancel, status }: OrderedTest): boolean =>
  !isPanel && !canCancel && status !== ResultStatus.CANCELED;

/** Cancels tests of an order with a reason from the lab's list (R 2.2). */
export function CancelTestsDialog({ order, onClose, onChanged }: CancelTestsDialogProps) {
  const tests = useQuery(orderTestsQuery(order.id));
  const [chosenIds, setChosenIds] = useState<ReadonlySet<number>>(new Set());
  const cancelWrite = useWrite({
    send: ({ reason, words }: ChosenReason, key) =>
      cancelTests(order, { orderTestIds: [...chosenIds], reason, words }, key),
    identify: (body) => ({ ...body, tests: [...chosenIds] }),
    onDone: () => {
      toasts.success(messages.TESTS_CANCELED);
      onChanged();
    },
    onStale: onChanged,
  });
  const toggle = (id: number) => {
    const next = new Set(chosenIds);
    if (!next.delete(id)) next.add(id);
    setChosenIds(next);
  };
  return (
    <ReasonDialog
      title="Cancel Tests"
      kind={ReasonKind.CANCELLATION}
      submitLabel="Cancel Tests"
      closeLabel="Close"
      intent="danger"
      width={WIDTH_PX}
      isBusy={cancelWrite.isRunning}
      isDisabled={chosenIds.size === 0}
      onSubmit={cancelWrite.run}
      onClose={onClose}
    >
      <Loaded loadState={toLoadState(tests)}>
        {(loadedTests) => (
          <fieldset style={{ border: 0, margin: '0 0 12px', padding: 0 }}>
            <legend>Tests</legend>
            {loadedTests
              .filter(({ isPanel }) => !isPanel)
              .map((test) => (
                <Checkbox
                  key={test.id}
                  label={test.name}
                  disabled={!test.canCancel}
                  checked={chosenIds.has(test.id)}
                  onChange={() => toggle(test.id)}
                />
              ))}
            {loadedTests.some(isReleased) ? (
              <p className="quiet">{messages.TESTS_RELEASED_HERE}</p>
            ) : null}
          </fieldset>
        )}
      </Loaded>
    </ReasonDialog>
  );
}
