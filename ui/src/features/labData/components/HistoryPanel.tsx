import { useQuery } from '@tanstack/react-query';

import { ChangeList } from '../../../components/records/ChangeList';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { ScrollTable } from '../../../components/ScrollTable';
import { messages } from '../../../contract';
import { formatLongInstant } from '../../../lib/instants';
import { historyQuery } from '../api';
import styles from './labData.module.css';

const ACTION_NAMES: Readonly<Record<string, string>> = {
  create: 'Added',
  change: 'Changed',
  import: 'From a file',
};

/** Who changed a row, when, and what: newest first. */
export function HistoryPanel({ kind, id }: { kind: string; id: number }) {
  const history = useQuery(historyQuery(kind, id));
  return (
    <Loaded loadState={toLoadState(history)}>
      {(changes) =>
        changes.length === 0 ? (
          <p className="quiet">{messages.LAB_DATA_NO_CHANGES}</p>
        ) : (
          <div className={styles['rows']}>
            <ScrollTable label="History" headers={['When', 'Who', 'What', 'Values']}>
              {changes.map((change, index) => (
                <tr key={index}>
                  <td>{formatLongInstant(change.at)}</td>
                  <td data-type="name">{change.user ?? ''}</td>
                  <td>{ACTION_NAMES[change.action] ?? change.action}</td>
                  <td>
                    <ChangeList changes={change.fields} isNew={change.action === 'create'} />
                  </td>
                </tr>
              ))}
            </ScrollTable>
          </div>
        )
      }
    </Loaded>
  );
}
