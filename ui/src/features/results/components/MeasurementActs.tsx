import { useState, type ReactNode } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextField } from '../../../components/fields/TextField';
import { ResultStatus } from '../../../contract';
import { nameField } from '../fieldNames';
import { isTestCanceled } from './EntryLock';
import type { MenuAct } from './TestActs';

const WIDTH_PX = 360;

interface MeasurementOptions {
  test: { orderTestId: number; name: string; status: number; result: string | null };
  values: Record<string, string>;
  /** Whether results may be entered here. */
  canEnter: boolean;
  /** Whether the test has numbers, and its result is not released. */
  canDilute: boolean;
  onType: (field: string, value: string) => void;
}

/** Returns the acts on how a result is measured, and the dialog of the dilution. */
export function useMeasurementActs({ test, values, onType, ...options }: MeasurementOptions): {
  items: MenuAct[];
  dialog: ReactNode;
} {
  const [isDiluting, setIsDiluting] = useState(false);
  const repeat = nameField(test, 'repeat');
  const dilution = nameField(test, 'dilution');
  const isRepeating = Boolean(values[repeat]);
  const items: MenuAct[] = [];
  const canEnter = options.canEnter && !isTestCanceled(test);
  if (canEnter && test.status === ResultStatus.UNRELEASED) {
    items.push({
      text: isRepeating ? 'Keep First Result' : 'Repeat',
      label: isRepeating ? (test.result ?? '') : 'keeps the first value',
      onClick: () => {
        onType(repeat, isRepeating ? '' : 'yes');
        onType(nameField(test, 'result'), isRepeating ? (test.result ?? '') : '');
      },
    });
  }
  if (canEnter && options.canDilute)
    items.push({ text: 'Dilution ...', onClick: () => setIsDiluting(true) });
  const dialog = isDiluting ? (
    <FormDialog
      isOpen
      title={`Dilution of ${test.name}`}
      width={WIDTH_PX}
      submitLabel="Use"
      closeLabel="Cancel"
      submitDisabled={!(Number(values[dilution]) > 1)}
      onSubmit={() => setIsDiluting(false)}
      onClose={() => {
        onType(dilution, '');
        setIsDiluting(false);
      }}
    >
      <TextField
        label="Factor"
        inputMode="numeric"
        helperText="The typed value is multiplied by it."
        value={values[dilution] ?? ''}
        onChange={(value) => onType(dilution, value)}
      />
    </FormDialog>
  ) : null;
  return { items, dialog };
}
