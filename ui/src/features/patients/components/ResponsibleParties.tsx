import { useRef, useState } from 'react';

import { EditableList } from '../../../components/rows/EditableList';
import type { RowColumn } from '../../../components/rows/RowGrid';
import { applyMask, masks } from '../../../lib/mask';
import { sortRows } from '../../../lib/ordering';
import { addParty, updateParty, type Party } from '../parties';
import { PartyPopup } from './PartyPopup';
import styles from './patientForm.module.css';

interface ResponsiblePartiesProps {
  parties: readonly Party[];
  onChange: (parties: Party[]) => void;
  /** Returns the portal's messages about the party at an index. */
  getRowProblems?: ((index: number) => readonly string[]) | undefined;
}

/** The people who are responsible for a patient, in order (O 2.5, O 4). */
export function ResponsibleParties({ parties, onChange, getRowProblems }: ResponsiblePartiesProps) {
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const addedCount = useRef(0);
  const rows = sortRows(parties);

  return (
    <div className={styles['list']}>
      <EditableList
        label="Responsible Parties"
        actionsLabel="Responsible parties"
        rows={rows}
        selected={selectedKeys}
        onSelect={setSelectedKeys}
        onChange={onChange}
        onReplace={(remainingParties) => {
          onChange(remainingParties);
          setSelectedKeys(new Set());
        }}
        getRowName={(party) => `${party.lastName}, ${party.firstName}`}
        columns={columns}
        getProblems={({ key }) => getRowProblems?.(rows.findIndex((row) => row.key === key)) ?? []}
        empty="Nobody yet"
        renderEditor={(party, close) => (
          <PartyPopup
            party={party}
            onClose={close}
            onSave={(values) => {
              if (party === null) {
                addedCount.current += 1;
                onChange(addParty(parties, values, `new-${addedCount.current}`));
              } else {
                onChange(updateParty(parties, party.key, values));
              }
              close();
            }}
          />
        )}
      />
    </div>
  );
}

const columns: readonly RowColumn<Party>[] = [
  { id: 'lastName', title: 'Last Name', card: 'title', render: (party) => party.lastName },
  { id: 'firstName', title: 'First Name', render: (party) => party.firstName },
  {
    id: 'phone',
    title: 'Phone',
    render: (party) => applyMask(party.phone, masks.phone),
  },
];
