import { useEffect } from 'react';

import { useCapabilities } from '../../api';
import { formatAge } from '../../lib/age';
import { formatDate } from '../../lib/dates';
import { showPatientInTitle } from '../../lib/pageTitle';
import styles from './PatientBanner.module.css';

export interface BannerPatient {
  firstName: string;
  lastName: string;
  middleName?: string | null | undefined;
  /** ISO date. */
  birthDate?: string | null | undefined;
  gender?: string | null | undefined;
}

export type BannerFact = readonly [label: string, value: string | null | undefined];

interface PatientBannerProps {
  patient: BannerPatient;
  /** Facts beside the name, such as the client. Empty ones are left out. */
  facts?: readonly BannerFact[];
}

/** The patient of a screen: name, gender, age, birth date, and further facts, such as the client. */
export function PatientBanner({ patient, facts = [] }: PatientBannerProps) {
  const { firstName, lastName, middleName, birthDate, gender } = patient;
  const age = formatAge(birthDate);
  const { namesInTitles = false } = useCapabilities();
  useEffect(() => {
    if (!namesInTitles) return undefined;
    showPatientInTitle(`${lastName}, ${firstName}`);
    return () => showPatientInTitle('');
  }, [namesInTitles, lastName, firstName]);
  return (
    <div role="group" aria-label="Patient" className={styles['banner']}>
      <div>
        <div className={styles['name']}>
          {lastName}, {firstName} {middleName}
        </div>
        <dl className={styles['person']}>
          {gender ? (
            <div>
              <dt className="visually-hidden">Gender</dt>
              <dd className={styles['word']}>{gender}</dd>
            </div>
          ) : null}
          {age ? (
            <div>
              <dt className="visually-hidden">Age</dt>
              <dd>{age}</dd>
            </div>
          ) : null}
          {birthDate ? (
            <div>
              <dt>DOB</dt> <dd>{formatDate(birthDate)}</dd>
            </div>
          ) : null}
        </dl>
      </div>
      <dl className={styles['facts']}>
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd title={value}>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </div>
  );
}
