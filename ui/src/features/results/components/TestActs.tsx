import { Menu, MenuItem, Radio, RadioGroup } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';

import { CaretPopup } from '../../../components/CaretPopup';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextAreaField } from '../../../components/fields/TextField';
import { ReasonKind, ResultStatus, Withholding, type Wire } from '../../../contract';
import { ReasonDialog, type ChosenReason } from '../../settings/components/ReasonDialog';
import type { TestAct } from '../api';
import { isTestCanceled } from './EntryLock';

/** The facts about a test that withholding and holding its result need. */
export interface ActTarget {
  orderTestId: number;
  name: string;
  status: number;
  isReleased: boolean;
  withheld: Wire<'EntryWithholding'> | null;
  holds: readonly Wire<'EntryHold'>[];
}

interface TestActsOptions {
  test: ActTarget;
  onAct: (act: TestAct) => void;
}

/** An act in the menu of a test; its label is beside the text. */
export interface MenuAct {
  text: string;
  label?: string;
  onClick: () => void;
}

type Hold = ActTarget['holds'][number];

const LIFT_WIDTH_PX = 420;
const NOTE_MAX = 1_000;
const EVERY = 'every';
const THIS = 'this';

/** Asks why a test is held, and where: in this order or in every order. */
function HoldDialog({ test, onAct, onClose }: TestActsOptions & { onClose: () => void }) {
  const [scope, setScope] = useState(THIS);
  const isEvery = scope === EVERY;
  return (
    <ReasonDialog
      title={`Hold ${test.name}`}
      kind={ReasonKind.HOLD}
      submitLabel={isEvery ? 'Hold in every order' : 'Hold in this order'}
      onSubmit={(reason) =>
        onAct({
          path: 'holds',
          body: { orderTestIds: [test.orderTestId], everyOrder: isEvery, ...reason },
        })
      }
      onClose={onClose}
    >
      <p>Results of the test cannot be released until the hold is lifted.</p>
      <RadioGroup
        label="Where"
        selectedValue={scope}
        onChange={({ currentTarget }) => setScope(currentTarget.value)}
      >
        <Radio label="In this order" value={THIS} />
        <Radio label="In every order, for example after a failed control" value={EVERY} />
      </RadioGroup>
    </ReasonDialog>
  );
}

/** Lifts a hold, with a note that stays beside it. */
function LiftDialog({
  test,
  hold,
  onAct,
  onClose,
}: TestActsOptions & { hold: Hold; onClose: () => void }) {
  const [note, setNote] = useState('');
  return (
    <FormDialog
      isOpen
      title={`Lift hold of ${test.name}`}
      width={LIFT_WIDTH_PX}
      submitLabel={hold.everyOrder ? 'Lift in every order' : 'Lift hold'}
      closeLabel="Cancel"
      onSubmit={() =>
        onAct({ path: `holds/${hold.id}/lift`, body: { words: note.trim() || null } })
      }
      onClose={onClose}
    >
      <p>{[hold.reason, hold.words].filter(Boolean).join(' · ')}</p>
      <TextAreaField label="Note" value={note} maxLength={NOTE_MAX} onChange={setNote} />
    </FormDialog>
  );
}

function WithholdDialog({
  test,
  kind,
  onAct,
  onClose,
}: TestActsOptions & { kind: Withholding; onClose: () => void }) {
  const isReview = kind === Withholding.REVIEW;
  return (
    <ReasonDialog
      title={`${isReview ? 'Review' : 'Withdraw'} ${test.name}`}
      kind={ReasonKind.CORRECTION}
      submitLabel={isReview ? 'Put under review' : 'Withdraw'}
      intent="danger"
      onSubmit={(reason: ChosenReason) =>
        onAct({ path: 'withhold', body: { orderTestIds: [test.orderTestId], kind, ...reason } })
      }
      onClose={onClose}
    >
      <p>
        {test.withheld === null
          ? 'From now on, nobody outside the lab sees the result.'
          : 'Nobody outside the lab sees the result now. It stays hidden.'}
      </p>
    </ReasonDialog>
  );
}

/** Returns the acts on a saved result for its menu, and the dialog of the chosen one. */
export function useTestActs({ test, onAct }: TestActsOptions): {
  items: MenuAct[];
  dialog: ReactNode;
} {
  const [open, setOpen] = useState<Withholding | 'hold' | Hold | null>(null);
  const close = () => setOpen(null);
  const act = (next: TestAct) => {
    close();
    onAct(next);
  };
  const items: MenuAct[] = [];
  if (test.isReleased && test.withheld === null && !isTestCanceled(test)) {
    items.push(
      { text: 'Put under review ...', onClick: () => setOpen(Withholding.REVIEW) },
      { text: 'Withdraw ...', onClick: () => setOpen(Withholding.WITHDRAWN) },
    );
  }
  if (test.withheld?.kind === Withholding.REVIEW) {
    items.push({
      text: 'End review',
      onClick: () => act({ path: 'restore', body: { orderTestIds: [test.orderTestId] } }),
    });
    // Ending the review first would show readers a value that is known to be wrong.
    items.push({ text: 'Withdraw ...', onClick: () => setOpen(Withholding.WITHDRAWN) });
  }
  for (const hold of test.holds) {
    items.push({
      text: `Lift hold${hold.everyOrder ? ' in every order' : ''}: ${hold.reason} ...`,
      onClick: () => setOpen(hold),
    });
  }
  if (test.holds.length === 0 && test.status !== ResultStatus.FINAL && !isTestCanceled(test)) {
    items.push({ text: 'Hold ...', onClick: () => setOpen('hold') });
  }
  const props = { test, onAct: act, onClose: close };
  let dialog: ReactNode = null;
  if (open === 'hold') dialog = <HoldDialog {...props} />;
  else if (open !== null && typeof open === 'object')
    dialog = <LiftDialog {...props} hold={open} />;
  else if (open !== null) dialog = <WithholdDialog {...props} kind={open} />;
  return { items, dialog };
}

interface ActsMenuProps {
  /** The name of the test. */
  name: string;
  items: readonly MenuAct[];
  isActing: boolean;
}

/** The menu of a test, if anything can be done with it. */
export function ActsMenu({ name, items, isActing }: ActsMenuProps) {
  if (items.length === 0) return null;
  return (
    <CaretPopup
      aria-label={`More about ${name}`}
      disabled={isActing}
      content={() => (
        <Menu>
          {items.map(({ text, label, onClick }) => (
            <MenuItem key={text} text={text} label={label} onClick={onClick} />
          ))}
        </Menu>
      )}
    />
  );
}

interface TestActsProps extends TestActsOptions {
  isActing: boolean;
}

/** The menu of a test: puts its result under review, withdraws it, or holds it. */
export function TestActs({ test, onAct, isActing }: TestActsProps) {
  const { items, dialog } = useTestActs({ test, onAct });
  return (
    <>
      <ActsMenu name={test.name} items={items} isActing={isActing} />
      {dialog}
    </>
  );
}
