import { PopoverNext } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { messages } from '../../../contract';
import { formatDateTime } from '../../../lib/dates';
import { lastValuesQuery, type ClinicalRow, type LastValues } from './api';
import styles from './Trend.module.css';

type Value = LastValues['values'][number];

const WIDTH = 220;
const HEIGHT = 48;
const MARGIN = 5;

/** Places the numbers of a series in a drawing, by the times of collection. */
export function placePoints(
  values: readonly Pick<Value, 'collectionDate' | 'number'>[],
): { x: number; y: number }[] {
  const points = values.flatMap(({ collectionDate, number }) =>
    number === null ? [] : [{ at: Date.parse(collectionDate), number }],
  );
  const times = points.map(({ at }) => at);
  const numbers = points.map(({ number }) => number);
  const scale = (value: number, all: readonly number[], size: number) => {
    const low = Math.min(...all);
    const span = Math.max(...all) - low;
    return MARGIN + (span === 0 ? 0.5 : (value - low) / span) * (size - 2 * MARGIN);
  };
  return points.map(({ at, number }) => ({
    x: scale(at, times, WIDTH),
    y: HEIGHT - scale(number, numbers, HEIGHT),
  }));
}

interface TrendProps {
  orderId: number;
  row: ClinicalRow;
  /** When the specimen of this order was collected; null until it is known. */
  collectionDate: string | null;
}

/** The name of a test; hover, focus, or a tap shows the patient's last values of it. */
export function Trend({ orderId, row, collectionDate }: TrendProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <PopoverNext
      interactionKind="hover"
      placement="bottom-start"
      isOpen={isOpen}
      onInteraction={setIsOpen}
      enforceFocus={false}
      autoFocus={false}
      shouldReturnFocusOnClose={false}
      hoverOpenDelay={250}
      content={
        <div id={id} className={styles['trend']} role="tooltip">
          <Values orderId={orderId} row={row} collectionDate={collectionDate} />
        </div>
      }
      renderTarget={({ isOpen: _, ref, className, ...target }) => (
        <button
          {...target}
          ref={ref}
          type="button"
          className={[className, styles['name']].join(' ')}
          aria-describedby={isOpen ? id : undefined}
          onClick={() => setIsOpen(true)}
          onFocus={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setIsOpen(false);
          }}
        >
          {row.name}
        </button>
      )}
    />
  );
}

function Values({ orderId, row, collectionDate }: TrendProps) {
  const lastValues = useQuery(lastValuesQuery(orderId));
  return (
    <Loaded loadState={toLoadState(lastValues)}>
      {(all) => {
        const earlier = all.find(({ key }) => key === row.key)?.values ?? [];
        if (earlier.length === 0) return messages.RESULT_NO_EARLIER;
        const number = row.result === null ? null : Number(row.result.replaceAll(',', ''));
        const current: Value[] =
          row.result === null || collectionDate === null
            ? []
            : [
                {
                  collectionDate,
                  result: row.result,
                  number: Number.isNaN(number) ? null : number,
                  flag: row.flag,
                },
              ];
        return <Series values={[...earlier, ...current]} unit={row.unit} />;
      }}
    </Loaded>
  );
}

function Series({ values, unit }: { values: readonly Value[]; unit: string | null }) {
  const points = placePoints(values);
  return (
    <>
      {points.length < 2 ? null : (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles['line']} aria-hidden="true">
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {points.map(({ x, y }) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={2.5} />
          ))}
        </svg>
      )}
      <table className={styles['values']}>
        <caption>{unit === null ? 'Last values' : `Last values, ${unit}`}</caption>
        <tbody>
          {values.toReversed().map(({ collectionDate, result, flag }) => (
            <tr key={collectionDate}>
              <th scope="row" className="number">
                {formatDateTime(collectionDate)}
              </th>
              <td className="number">{result}</td>
              <td>{flag}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
