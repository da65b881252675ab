import { Button } from '@blueprintjs/core';

import { EditIcon } from '../../../components/icons';
import { formatDate } from '../../../lib/dates';
import styles from './SearchPatientDialog.module.css';

/** The patient that a record has now. */
export interface CurrentPatientRecord {
  code: string | null;
  lastName: string;
  firstName: string;
  middleName: string | null;
  birthDate: string | null;
  gender: string;
  client: { name: string } | null;
}

interface CurrentPatientProps {
  patient: CurrentPatientRecord;
  /** Opens the patient's form; undefined for users who may not change patients. */
  onEdit?: (() => void) | undefined;
}

/** The patient of the record, above the search for another one. */
export function CurrentPatient({ patient, onEdit }: CurrentPatientProps) {
  const facts = [formatDate(patient.birthDate), patient.gender, patient.client?.name];
  return (
    <section className={styles['current']} aria-label="Current patient">
      <div>
        <strong>
          {patient.lastName}, {patient.firstName} {patient.middleName}
        </strong>{' '}
        <span className="quiet">{patient.code}</span>
        <div className="quiet">{facts.filter(Boolean).join(' · ')}</div>
      </div>
      {onEdit ? (
        <Button icon={<EditIcon />} intent="primary" onClick={onEdit}>
          Edit details
        </Button>
      ) : null}
    </section>
  );
}
