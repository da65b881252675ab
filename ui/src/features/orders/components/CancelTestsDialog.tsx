import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, ReasonKind, ResultStatus } from '../../../contract';
import { ReasonDialog, type ChosenReason } from '../../settings/components/ReasonDialog';
import { cancelTests, orderTestsQuery, type Order, type OrderedTest } from '../api';
import styles from './orders.module.css';

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

interface TestGroupProps {
  title: string;
  tests: readonly OrderedTest[];
  /** The panel whose tests are shown; null for those that were ordered by themselves. */
  panelId: number | null;
  chosenIds: ReadonlySet<number>;
  onToggle: (id: number) => void;
}

/** The tests of a panel below its name, because several panels may contain the same test. */
function TestGroup({ title, panelId, ...props }: TestGroupProps) {
  const members = props.tests.filter(({ parentId }) => parentId === panelId);
  return (
    <fieldset className={styles['testGroup']}>
      <legend>{title}</legend>
      {members.map((test) =>
        test.isPanel ? (
          <TestGroup key={test.id} {...props} title={test.name} panelId={test.id} />
        ) : (
          <Checkbox
            key={test.id}
            disabled={!test.canCancel}
            checked={props.chosenIds.has(test.id)}
            onChange={() => props.onToggle(test.id)}
          >
            {test.name}
            {test.status === ResultStatus.CANCELED ? (
              <>
                {' '}
                <span className="quiet">CANCELED</span>
              </>
            ) : null}
          </Checkbox>
        ),
      )}
    </fieldset>
  );
}

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
          <>
            <TestGroup
              title="Tests"
              tests={loadedTests}
              panelId={null}
              chosenIds={chosenIds}
              onToggle={toggle}
            />
            {loadedTests.some(isReleased) ? (
              <p className="quiet">{messages.TESTS_RELEASED_HERE}</p>
            ) : null}
          </>
        )}
      </Loaded>
    </ReasonDialog>
  );
}
