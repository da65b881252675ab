import { useRef, useState } from 'react';

import { EditableList } from '../../../components/rows/EditableList';
import type { RowColumn } from '../../../components/rows/RowGrid';
import { applyMask, masks } from '../../../lib/mask';
import { inOrder } from '../../../lib/ordering';
import { partyAdded, partySaved, type Party } from '../parties';
import { PartyPopup } from './PartyPopup';
import styles from './patientForm.module.css';

interface ResponsiblePartiesProps {
  parties: readonly Party[];
  onChange: (parties: Party[]) => void;
  /** What the portal refused, by the party's place. */
  problems?: ((place: number) => readonly string[]) | undefined;
}

/** The people who are responsible for a patient, in their order (O 2.5, O 4). */
export function ResponsibleParties({ parties, onChange, problems }: ResponsiblePartiesProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const count = useRef(0);
  const rows = inOrder(parties);

  return (
    <div className={styles['list']}>
      <EditableList
        label="Responsible Parties"
        actionsLabel="Responsible parties"
        rows={rows}
        selected={selected}
        onSelect={setSelected}
        onChange={onChange}
        onReplace={(left) => {
          onChange(left);
          setSelected(new Set());
        }}
        rowName={(party) => `${party.lastName}, ${party.firstName}`}
        columns={columns}
        problems={({ key }) => problems?.(rows.findIndex((one) => one.key === key)) ?? []}
        empty="Nobody yet"
        editor={(party, close) => (
          <PartyPopup
            party={party}
            onClose={close}
            onSave={(values) => {
              if (party === null) {
                count.current += 1;
                onChange(partyAdded(parties, values, `new-${count.current}`));
              } else {
                onChange(partySaved(parties, party.key, values));
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
    numeric: true,
    render: (party) => applyMask(party.phone, masks.phone),
  },
];
