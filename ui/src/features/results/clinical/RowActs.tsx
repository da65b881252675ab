import { Button, Menu, MenuItem } from '@blueprintjs/core';
import { useState } from 'react';

import { CaretPopup } from '../../../components/CaretPopup';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextField } from '../../../components/fields/TextField';
import { ReasonKind, ResultStatus } from '../../../contract';
import { ReasonDialog } from '../../settings/components/ReasonDialog';
import { isTestCanceled } from '../components/EntryLock';
import { ReleasedNote } from '../components/ReleasedNote';
import { useTestActs } from '../components/TestActs';
import type { EntryRow, ResultAct } from './api';
import { getFieldName, type Values } from './typedResults';

interface RowActsProps {
  row: EntryRow;
  values: Values;
  canEnter: boolean;
  /** Whether saved results may be held, withheld, or shown again now. */
  canAct: boolean;
  isActing: boolean;
  onType: (field: string, value: string) => void;
  onAct: (act: ResultAct) => void;
}

type OpenEditor = 'correct' | 'dilute' | null;

/** Whether a result was released; a withheld value is empty for people outside the lab. */
export const hasRelease = (row: EntryRow): boolean =>
  row.releasedResult !== null || row.withheld !== null;

/** Whether a released result may be typed again: its correction has a reason. */
export const isUnlocked = (row: EntryRow, values: Values): boolean =>
  !hasRelease(row) || row.isCorrection || Boolean(values[getFieldName(row, 'reason')]);

/** The acts on one result, apart from typing it. */
export function RowActs({ row, values, onType, onAct, ...props }: RowActsProps) {
  const [open, setOpen] = useState<OpenEditor>(null);
  const close = () => setOpen(null);
  const isReleased = hasRelease(row);
  const isEntered = row.status === ResultStatus.UNRELEASED;
  const isRepeating = Boolean(values[getFieldName(row, 'repeat')]);
  const note = (part: 'reason' | 'words' | 'dilution' | 'repeat', value: string) =>
    onType(getFieldName(row, part), value);
  const { items, dialog } = useTestActs({ test: { ...row, isReleased }, onAct });
  return (
    <>
      {isReleased && props.canEnter && !isTestCanceled(row) && !isUnlocked(row, values) ? (
        <Button
          size="small"
          variant="minimal"
          intent="primary"
          aria-label={`Correct ${row.name}`}
          onClick={() => setOpen('correct')}
        >
          Correct...
        </Button>
      ) : null}
      {(props.canAct && items.length > 0) || (props.canEnter && isEntered) ? (
        <CaretPopup
          aria-label={`More about ${row.name}`}
          disabled={props.isActing}
          content={() => (
            <Menu>
              {isEntered && props.canEnter ? (
                <MenuItem
                  text={isRepeating ? 'Keep First Result' : 'Repeat'}
                  label={isRepeating ? (row.result ?? '') : 'keeps the first value'}
                  onClick={() => {
                    note('repeat', isRepeating ? '' : 'yes');
                    onType(getFieldName(row, 'result'), isRepeating ? (row.result ?? '') : '');
                  }}
                />
              ) : null}
              {props.canEnter && !isReleased ? (
                <MenuItem text="Dilution ..." onClick={() => setOpen('dilute')} />
              ) : null}
              {props.canAct
                ? items.map((item) => (
                    <MenuItem key={item.text} text={item.text} onClick={item.onClick} />
                  ))
                : null}
            </Menu>
          )}
        />
      ) : null}
      {open === 'correct' ? (
        <ReasonDialog
          title={`Correct ${row.name}`}
          kind={ReasonKind.CORRECTION}
          submitLabel="Correct"
          onSubmit={({ reason, words }) => {
            note('reason', reason);
            note('words', words ?? '');
            close();
          }}
          onClose={close}
        >
          <ReleasedNote result={row.releasedResult} withheld={row.withheld} />
        </ReasonDialog>
      ) : null}
      {dialog}
      {open === 'dilute' ? (
        <FormDialog
          isOpen
          title={`Dilution of ${row.name}`}
          width={360}
          submitLabel="Use"
          closeLabel="Cancel"
          submitDisabled={!(Number(values[getFieldName(row, 'dilution')]) > 1)}
          onSubmit={close}
          onClose={() => {
            note('dilution', '');
            close();
          }}
        >
          <TextField
            label="Factor"
            inputMode="numeric"
            helperText="The typed value is multiplied by it."
            value={values[getFieldName(row, 'dilution')] ?? ''}
            onChange={(value) => note('dilution', value)}
          />
        </FormDialog>
      ) : null}
    </>
  );
}
