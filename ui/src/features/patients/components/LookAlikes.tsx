import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { useDebounced } from '../../../components/useDebounced';
import { formatDate, isIsoDate } from '../../../lib/dates';
import { WarningSignIcon } from '../../../components/icons';
import { messages } from '../../../contract';
import { lookAlikesQuery, type Likeness, type LookAlike, type LookAlikeReason } from '../api';
import type { PatientValues } from '../fields';
import styles from './patientForm.module.css';

const TYPING_PAUSE_MS = 500;
const SSN_DIGITS = 9;

const REASONS: Readonly<Record<LookAlikeReason, string>> = {
  sameSsn: 'same SSN',
  sameBirthDate: 'same birth date',
  sameName: 'same name',
  similarName: 'similar name',
  namesSwapped: 'first and last name swapped',
};

interface LookAlikesProps {
  form: UseFormReturn<PatientValues>;
  /** The patient being edited, who is not a look-alike of themselves. */
  patientId: number | null;
  /** Leaves this form for the existing patient. */
  onChoose: (patient: LookAlike) => void;
}

/**
 * While a patient is entered, warns of existing patients who look alike, with the reasons. It never
 * blocks saving: two people may share a name and a birthday.
 */
export function LookAlikes({ form, patientId, onChoose }: LookAlikesProps) {
  const [lastName, firstName, birthDate, ssn] = useWatch({
    control: form.control,
    name: ['lastName', 'firstName', 'birthDate', 'socialSecurityNumber'],
  });
  const serializedLikeness = JSON.stringify({
    lastName: lastName.trim(),
    firstName: firstName.trim(),
    birthDate: isIsoDate(birthDate) ? birthDate : null,
    socialSecurityNumber: ssn.length === SSN_DIGITS ? ssn : null,
    patientId,
  } satisfies Likeness);
  const likeness = JSON.parse(useDebounced(serializedLikeness, TYPING_PAUSE_MS)) as Likeness;
  const hasName =
    likeness.lastName !== '' && likeness.firstName !== '' && likeness.birthDate !== null;
  const query = useQuery({
    ...lookAlikesQuery(likeness),
    // The values of a saved patient need no check; those of a new one may come from a search.
    enabled:
      (patientId === null || form.formState.isDirty) &&
      (hasName || likeness.socialSecurityNumber !== null),
  });
  const patients = query.data ?? [];
  return (
    <div role="status" className={styles['lookAlikes']} data-empty={patients.length === 0}>
      {patients.length > 0 ? (
        <Callout intent="warning" icon={<WarningSignIcon />} compact>
          {messages.LOOK_ALIKES_FOUND}
          <ul>
            {patients.map((patient) => (
              <li key={patient.id}>
                <span>
                  <strong>
                    {patient.lastName}, {patient.firstName} {patient.middleName}
                  </strong>{' '}
                  <span>
                    {[formatDate(patient.birthDate), patient.gender, patient.code]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>{' '}
                  {patient.clientName}
                  <span className="quiet">
                    {' '}
                    – {patient.reasons.map((reason) => REASONS[reason]).join(', ')}
                  </span>
                </span>
                <Button size="small" onClick={() => onChoose(patient)}>
                  {patientId === null ? 'Use this patient' : 'Open'}
                </Button>
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
    </div>
  );
}
