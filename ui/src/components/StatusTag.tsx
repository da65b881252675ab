import { RequisitionStatus, RequisitionStatusLabels } from '../contract';
import styles from './StatusTag.module.css';

export type StatusColor = 'yellow' | 'orange' | 'green' | 'black' | 'blue' | 'gray' | 'red';

interface StatusTagProps {
  color: StatusColor;
  children: string;
}

/** The status of a record: a colored dot and a word, so that color is never the only sign. */
export function StatusTag({ color, children }: StatusTagProps) {
  return <span className={`${styles['tag']} ${styles[color]}`}>{children}</span>;
}

interface ShortTag {
  color: StatusColor;
  /** What is shown, where the words do not fit. */
  short: string;
  /** What the tag is called. */
  text: string;
}

/** Several statuses side by side in little room; the tip of a grid's cell has their words. */
export function ShortTags({ tags }: { tags: readonly ShortTag[] }) {
  return (
    <span className={styles['shortTags']} data-tip={tags.map(({ text }) => text).join(', ')}>
      {tags.map(({ color, short, text }) => (
        <span key={text} className={`${styles['tag']} ${styles['short']} ${styles[color]}`}>
          {short === text ? (
            text
          ) : (
            <>
              <span aria-hidden="true">{short}</span>
              <span className="visually-hidden">{text}</span>
            </>
          )}
        </span>
      ))}
    </span>
  );
}

const REQUISITION_COLORS: Readonly<Record<number, StatusColor>> = {
  [RequisitionStatus.PENDING]: 'yellow',
  [RequisitionStatus.DONE]: 'green',
  [RequisitionStatus.CANCELED]: 'black',
};

/** O 2.2: PENDING yellow, DONE green, CANCELED black, otherwise NONE. */
export function RequisitionStatusTag({ status }: { status: number }) {
  const color = REQUISITION_COLORS[status];
  const label = color ? RequisitionStatusLabels[status] : undefined;
  return <StatusTag color={color ?? 'gray'}>{label ?? 'NONE'}</StatusTag>;
}
