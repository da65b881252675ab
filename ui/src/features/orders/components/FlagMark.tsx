import { Tag } from '@blueprintjs/core';

import styles from './orders.module.css';

interface FlagMarkProps {
  flag: string | null;
  isAbnormal: boolean;
  isCritical: boolean;
}

/** A result's flag: critical ones as a red tag, other abnormal ones bold, normal ones quiet. */
export function FlagMark({ flag, isAbnormal, isCritical }: FlagMarkProps) {
  if (!flag) return null;
  if (isCritical) {
    return (
      <Tag intent="danger" minimal>
        {flag}
      </Tag>
    );
  }
  return <span className={isAbnormal ? styles['abnormal'] : 'quiet'}>{flag}</span>;
}
