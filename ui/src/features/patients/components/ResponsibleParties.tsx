import { useRef, useState } from 'react';

import { ListToolbar } from '../../../components/rows/ListToolbar';
import { RowGrid, type RowColumn } from '../../../components/rows/RowGrid';
import { applyMask, masks } from '../../../lib/mask';
import { canMove, inOrder, moved, without } from '../../../lib/ordering';
import { ArrowDownIcon, ArrowUpIcon, PlusIcon, TrashIcon } from '../../../components/icons';
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
  const [edited, setEdited] = useState<Party | 'new' | null>(null);
  const count = useRef(0);
  const rows = inOrder(parties);

  return (
    <div className={styles['list']}>
      <ListToolbar
        label="Responsible parties"
        actions={[
          {
            label: 'Add',
            icon: <PlusIcon />,
            always: true,
            disabled: false,
            onClick: () => setEdited('new'),
          },
          {
            label: 'Remove',
            icon: <TrashIcon />,
            disabled: !parties.some(({ key }) => selected.has(key)),
            onClick: () => {
              onChange(without(parties, selected));
              setSelected(new Set());
            },
          },
          {
            label: 'Move Up',
            icon: <ArrowUpIcon />,
            disabled: !canMove(parties, selected, 'up'),
            onClick: () => onChange(moved(parties, selected, 'up')),
          },
          {
            label: 'Move Down',
            icon: <ArrowDownIcon />,
            disabled: !canMove(parties, selected, 'down'),
            onClick: () => onChange(moved(parties, selected, 'down')),
          },
        ]}
      />
      <RowGrid
        label="Responsible Parties"
        rows={rows}
        rowKey={(party) => party.key}
        rowName={(party) => `${party.lastName}, ${party.firstName}`}
        columns={columns}
        selected={selected}
        onSelect={setSelected}
        onOpen={setEdited}
        problems={(party) => problems?.(rows.indexOf(party)) ?? []}
        empty="Nobody yet"
      />
      {edited === null ? null : (
        <PartyPopup
          party={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSave={(values) => {
            if (edited === 'new') {
              count.current += 1;
              onChange(partyAdded(parties, values, `new-${count.current}`));
            } else {
              onChange(partySaved(parties, edited.key, values));
            }
            setEdited(null);
          }}
        />
      )}
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
