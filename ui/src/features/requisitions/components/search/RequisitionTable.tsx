import { Button } from '@blueprintjs/core';

import { RequisitionStatusTag } from '../../../../components/StatusTag';
import { formatDate, formatDateTime } from '../../../../lib/dates';
import styles from './requisitionTable.module.css';

/** A requisition in a short list. */
export interface RequisitionSummary {
  id: number;
  code: string;
  /** Omitted if all rows belong to one patient. */
  patient?: { lastName: string; firstName: string; birthDate: string; clientName: string };
  collectionDate?: string;
  status?: number;
  tests: readonly string[];
}

interface RequisitionTableProps {
  label: string;
  rows: readonly RequisitionSummary[];
  onChoose: (id: number) => void;
}

/** A short list of requisitions; the code opens one. */
export function RequisitionTable({ label, rows, onChoose }: RequisitionTableProps) {
  const [first] = rows;
  const [showsPatient, showsDate] = [
    first?.patient !== undefined,
    first?.collectionDate !== undefined,
  ];
  return (
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Requisition Id</th>
          {showsDate ? <th scope="col">Collection Date</th> : null}
          {showsPatient ? (
            <>
              <th scope="col">Last name</th>
              <th scope="col">First name</th>
              <th scope="col">Birthdate</th>
              <th scope="col">Client</th>
            </>
          ) : null}
          <th scope="col">Tests</th>
          {showsDate ? <th scope="col">Status</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Button
                variant="minimal"
                size="small"
                intent="primary"
                onClick={() => onChoose(row.id)}
              >
                {row.code}
              </Button>
            </td>
            {row.collectionDate === undefined ? null : (
              <td>{formatDateTime(row.collectionDate)}</td>
            )}
            {row.patient ? (
              <>
                <td>{row.patient.lastName}</td>
                <td>{row.patient.firstName}</td>
                <td>{formatDate(row.patient.birthDate)}</td>
                <td>{row.patient.clientName}</td>
              </>
            ) : null}
            <td>{row.tests.join(', ')}</td>
            {row.status === undefined ? null : (
              <td>
                <RequisitionStatusTag status={row.status} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
