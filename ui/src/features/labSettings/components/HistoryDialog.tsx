import { useQuery } from '@tanstack/react-query';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { ChangeList } from '../../../components/records/ChangeList';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { ScrollTable } from '../../../components/ScrollTable';
import { limits, messages, type Wire } from '../../../contract';
import { formatLongInstant } from '../../../lib/instants';
import { historyQuery } from '../api';
import { fields } from '../form';

const LABELS = new Map<string, string>(
  Object.values(fields).map(({ wire, label }) => [wire, label]),
);

/** Who changed the lab's settings, when, and what: newest first. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const history = useQuery(historyQuery);
  return (
    <FormDialog
      isOpen
      title="History of Lab Settings"
      width={limits.DIALOG_SESSIONS_WIDTH_PX}
      closeLabel="Close"
      onClose={onClose}
    >
      <Loaded loadState={toLoadState(history)}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="quiet">{messages.LAB_DATA_NO_CHANGES}</p>
          ) : (
            <ScrollTable label="History" headers={['When', 'Who', 'Settings']}>
              {entries.map((entry) => (
                <tr key={entry.at}>
                  <td>{formatLongInstant(entry.at)}</td>
                  <td data-type="name">{entry.user ?? ''}</td>
                  <td>
                    <ChangeList changes={entry.changes.map(addLabel)} />
                  </td>
                </tr>
              ))}
            </ScrollTable>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

const addLabel = ({ name, ...values }: Wire<'SettingChange'>) => ({
  label: LABELS.get(name) ?? name,
  ...values,
});
