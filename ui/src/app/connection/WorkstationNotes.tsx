import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { useCapabilities } from '../../api';
import { messages } from '../../contract';
import { portalsQuery } from './api';
import styles from './connection.module.css';

/** Notes on the sign-in page of the desktop app: which portal it uses, and what it stores. */
export default function WorkstationNotes({ onChange }: { onChange: () => void }) {
  const { keepsCredentials, portal } = useCapabilities();
  const { data } = useQuery(portalsQuery);
  return (
    <div className={styles['notes']}>
      {keepsCredentials ? null : <p>{messages.CREDENTIALS_NOT_STORED}</p>}
      <p>
        Portal: {portal?.address}
        {data?.fixedBy ? ` (set by ${data.fixedBy})` : null}
        {data?.fixedBy === null ? (
          <Button variant="minimal" size="small" onClick={onChange}>
            Use another portal
          </Button>
        ) : null}
      </p>
    </div>
  );
}
