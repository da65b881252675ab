import { Button, Callout } from '@blueprintjs/core';

import { CrossIcon } from '../../../components/icons';
import type { AutoverifiedResult } from './api';
import { describeAutoverified } from './autoverified';
import styles from './AutoverifiedNotice.module.css';

interface AutoverifiedNoticeProps {
  results: readonly AutoverifiedResult[];
  onClose: () => void;
}

/** The outcome of autoverification for the saved results, until the user closes it. */
export function AutoverifiedNotice({ results, onClose }: AutoverifiedNoticeProps) {
  const { releasedText, waiting } = describeAutoverified(results);
  return (
    <div role="status" aria-label="Autoverification">
      {results.length === 0 ? null : (
        <Callout compact intent="primary" className={styles['notice']}>
          <div className={styles['content']}>
            <div>
              {releasedText === null ? null : <div>{releasedText}</div>}
              {waiting === null ? null : <div>{waiting}</div>}
            </div>
            <Button
              size="small"
              variant="minimal"
              icon={<CrossIcon />}
              aria-label="Close"
              onClick={onClose}
            />
          </div>
        </Callout>
      )}
    </div>
  );
}
