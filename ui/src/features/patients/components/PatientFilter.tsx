import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';

import type { PatientMatch } from '../api';
import { PatientPicker } from './PatientPicker';
import styles from './patientFilter.module.css';

// Most searches do not need it, and the home screen loads faster without it.
const SearchPatientDialog = lazy(async () => ({
  default: (await import('./SearchPatientDialog')).SearchPatientDialog,
}));

interface PatientFilterProps {
  className?: string | undefined;
  value: PatientMatch | null;
  onChange: (patient: PatientMatch | null) => void;
}

/**
 * The patient of a search screen: typed by name, or found by birth date and SSN in the search mode
 * of Search Patient (O 2.5, O 5).
 */
export function PatientFilter({ className, value, onChange }: PatientFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['filter']}>
      <PatientPicker className={className} value={value} onChange={onChange} />
      <Button
        variant="minimal"
        intent="primary"
        title="Search the patient by birth date or SSN"
        onClick={() => setIsOpen(true)}
      >
        Advanced
      </Button>
      {isOpen ? (
        <Suspense>
          <SearchPatientDialog
            isOpen
            fromSearch
            onClose={() => setIsOpen(false)}
            onSelect={onChange}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
