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
  /** The patient being edited is no look-alike of their own. */
  patientId: number | null;
  /** Leaves this form for the patient who is there already. */
  onChoose: (patient: LookAlike) => void;
}

/**
 * Warns, while a person types, of patients who look like the one in the form and says why. It
 * stands in nobody's way: two people may share a name and a birthday.
 */
export function LookAlikes({ form, patientId, onChoose }: LookAlikesProps) {
  const [lastName, firstName, birthDate, ssn] = useWatch({
    control: form.control,
    name: ['lastName', 'firstName', 'birthDate', 'socialSecurityNumber'],
  });
  const typed = JSON.stringify({
    lastName: lastName.trim(),
    firstName: firstName.trim(),
    birthDate: isIsoDate(birthDate) ? birthDate : null,
    socialSecurityNumber: ssn.length === SSN_DIGITS ? ssn : null,
    patientId,
  } satisfies Likeness);
  const wanted = JSON.parse(useDebounced(typed, TYPING_PAUSE_MS)) as Likeness;
  const named = wanted.lastName !== '' && wanted.firstName !== '' && wanted.birthDate !== null;
  const found = useQuery({
    ...lookAlikesQuery(wanted),
    // What a patient was loaded with is no news.
    enabled: form.formState.isDirty && (named || wanted.socialSecurityNumber !== null),
  });
  const patients = found.data ?? [];
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
                  <span className="number">
                    {formatDate(patient.birthDate)} · {patient.gender} · {patient.code}
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
