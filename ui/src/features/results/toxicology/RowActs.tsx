import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { ReasonKind } from '../../../contract';
import { ReasonDialog } from '../../settings/components/ReasonDialog';
import type { TestAct } from '../api';
import { isTestCanceled } from '../components/EntryLock';
import { useMeasurementActs } from '../components/MeasurementActs';
import { ReleasedNote } from '../components/ReleasedNote';
import { ActsMenu, useTestActs } from '../components/TestActs';
import { hasRelease } from '../released';
import type { ToxicologyEntryRow } from './api';
import { getFieldName, isUnlocked, type Values } from './typedResults';

interface RowActsProps {
  row: ToxicologyEntryRow;
  values: Values;
  fieldErrors: Values;
  canEnter: boolean;
  /** Whether saved results may be held, withheld, or shown again now. */
  canAct: boolean;
  isActing: boolean;
  onType: (field: string, value: string) => void;
  onAct: (act: TestAct) => void;
}

/** The acts on one result, apart from typing it: a correction needs a reason first. */
export function RowActs({ row, values, onType, ...props }: RowActsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const isReleased = hasRelease(row);
  const isCorrection = isUnlocked(row, values);
  const acts = useTestActs({ test: { ...row, isReleased }, onAct: props.onAct });
  const measurement = useMeasurementActs({
    test: row,
    values,
    canEnter: props.canEnter,
    // A test with choices has only words.
    canDilute: !isReleased && row.choices.length === 0,
    onType,
  });
  const items = [...measurement.items, ...(props.canAct ? acts.items : [])];
  const title = `${isCorrection ? 'Reason to correct' : 'Correct'} ${row.name}`;
  const isRejected = (['reasonCode', 'explanation'] as const).some(
    (part) => getFieldName(row, part) in props.fieldErrors,
  );
  return (
    <>
      {isReleased && props.canEnter && !isTestCanceled(row) ? (
        <Button
          size="small"
          variant="minimal"
          intent="primary"
          aria-label={title}
          data-rejected={isRejected || undefined}
          onClick={() => setIsAsking(true)}
        >
          {isCorrection ? 'Reason...' : 'Correct...'}
        </Button>
      ) : null}
      <ActsMenu name={row.name} items={items} isActing={props.isActing} />
      {acts.dialog}
      {measurement.dialog}
      {isAsking ? (
        <ReasonDialog
          title={title}
          kind={ReasonKind.CORRECTION}
          submitLabel={isCorrection ? 'Change' : 'Correct'}
          onSubmit={({ reason, words }) => {
            onType(getFieldName(row, 'reasonCode'), reason);
            onType(getFieldName(row, 'explanation'), words ?? '');
            setIsAsking(false);
          }}
          onClose={() => setIsAsking(false)}
        >
          <ReleasedNote result={row.released} withheld={row.withheld} />
        </ReasonDialog>
      ) : null}
    </>
  );
}
