import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { ReasonKind } from '../../../contract';
import { ReasonDialog } from '../../settings/components/ReasonDialog';
import { isTestCanceled } from '../components/EntryLock';
import { useMeasurementActs } from '../components/MeasurementActs';
import { ReleasedNote } from '../components/ReleasedNote';
import { ActsMenu, useTestActs } from '../components/TestActs';
import { hasRelease } from '../released';
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

/** Whether a released result may be typed again: its correction has a reason. */
export const isUnlocked = (row: EntryRow, values: Values): boolean =>
  !hasRelease(row) || row.isCorrection || Boolean(values[getFieldName(row, 'reason')]);

/** The acts on one result, apart from typing it. */
export function RowActs({ row, values, onType, onAct, ...props }: RowActsProps) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  const isReleased = hasRelease(row);
  const acts = useTestActs({ test: { ...row, isReleased }, onAct });
  const measurement = useMeasurementActs({
    test: row,
    values,
    canEnter: props.canEnter,
    canDilute: !isReleased,
    onType,
  });
  const items = [...measurement.items, ...(props.canAct ? acts.items : [])];
  return (
    <>
      {isReleased && props.canEnter && !isTestCanceled(row) && !isUnlocked(row, values) ? (
        <Button
          size="small"
          variant="minimal"
          intent="primary"
          aria-label={`Correct ${row.name}`}
          onClick={() => setIsCorrecting(true)}
        >
          Correct...
        </Button>
      ) : null}
      <ActsMenu name={row.name} items={items} isActing={props.isActing} />
      {isCorrecting ? (
        <ReasonDialog
          title={`Correct ${row.name}`}
          kind={ReasonKind.CORRECTION}
          submitLabel="Correct"
          onSubmit={({ reason, words }) => {
            onType(getFieldName(row, 'reason'), reason);
            onType(getFieldName(row, 'words'), words ?? '');
            setIsCorrecting(false);
          }}
          onClose={() => setIsCorrecting(false)}
        >
          <ReleasedNote result={row.releasedResult} withheld={row.withheld} />
        </ReasonDialog>
      ) : null}
      {acts.dialog}
      {measurement.dialog}
    </>
  );
}
