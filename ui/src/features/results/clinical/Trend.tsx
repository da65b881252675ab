import { PopoverNext } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { messages } from '../../../contract';
import { formatDateTime } from '../../../lib/dateTimes';
import { lastValuesQuery, type ClinicalRow } from './api';
import { buildSeries, findEarlierValues, placePoints, type SeriesValue } from './series';
import styles from './Trend.module.css';

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
        const earlier = findEarlierValues(all, row);
        if (earlier.length === 0) return messages.RESULT_NO_EARLIER;
        return <Series values={buildSeries(earlier, row, collectionDate)} unit={row.unit} />;
      }}
    </Loaded>
  );
}

const SIZE = { width: 220, height: 48 };

function Series({ values, unit }: { values: readonly SeriesValue[]; unit: string | null }) {
  const points = placePoints(values, SIZE);
  return (
    <>
      {points.length < 2 ? null : (
        <svg
          viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
          className={styles['line']}
          aria-hidden="true"
        >
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {points.map(({ x, y }) => (
            <circle key={x} cx={x} cy={y} r={2.5} />
          ))}
        </svg>
      )}
      <table className={styles['values']}>
        <caption>{unit === null ? 'Last values' : `Last values, ${unit}`}</caption>
        <tbody>
          {values.toReversed().map(({ collectionDate, result, flag }, index) => (
            // Several orders can have the same time.
            <tr key={index}>
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
