import { Button } from '@blueprintjs/core';

import { EditIcon } from '../../../components/icons';
import { formatDate } from '../../../lib/dates';
import styles from './SearchPatientDialog.module.css';

/** The patient that a record has now. */
export interface PresentPatientRecord {
  code: string | null;
  lastName: string;
  firstName: string;
  middleName: string | null;
  birthDate: string;
  gender: string;
  client: { name: string } | null;
}

interface PresentPatientProps {
  patient: PresentPatientRecord;
  /** Opens the patient's form; undefined for users who may not change patients. */
  onEdit?: (() => void) | undefined;
}

/** The patient of the record, above the search for another one. */
export function PresentPatient({ patient, onEdit }: PresentPatientProps) {
  const facts = [formatDate(patient.birthDate), patient.gender, patient.client?.name];
  return (
    <section className={styles['present']} aria-label="Present patient">
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
