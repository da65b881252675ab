import { Button, PopoverNext } from '@blueprintjs/core';
import { useState } from 'react';

import type { Recent } from '../../../components/recents/useRecents';
import { useScreen } from '../../../components/useMedia';
import { formatDate } from '../../../lib/dates';
import { CaretDownIcon } from '../../../components/icons';
import { limits } from '../../../contract';
import type { PatientRow } from '../api';
import styles from './SearchPatientDialog.module.css';

interface RecentPatientsProps {
  patients: readonly Recent<PatientRow>[];
  onChoose: (patient: PatientRow) => void;
}

/** The patients that this user recently worked with; hidden without any (O 2.5). */
export function RecentPatients({ patients, onChoose }: RecentPatientsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const screen = useScreen();
  if (patients.length === 0) return null;
  const width =
    screen === 'desktop' ? limits.RECENT_PATIENTS_WIDTH_PX : limits.RECENT_PATIENTS_TABLET_WIDTH_PX;
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      content={
        <table
          className={styles['recent']}
          style={{ width, maxWidth: '88vw' }}
          aria-label="Recent Patients"
        >
          <thead>
            <tr>
              <th scope="col">Patient Id</th>
              <th scope="col">Last Name</th>
              <th scope="col">First Name</th>
              <th scope="col">Birth Date</th>
            </tr>
          </thead>
          <tbody>
            {patients.map((patient) => (
              <tr key={patient.id}>
                <td>
                  <Button
                    variant="minimal"
                    size="small"
                    intent="primary"
                    onClick={() => {
                      setIsOpen(false);
                      onChoose(patient);
                    }}
                  >
                    {patient.code}
                  </Button>
                </td>
                <td>{patient.lastName}</td>
                <td>{patient.firstName}</td>
                <td>{formatDate(patient.birthDate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <Button variant="outlined" endIcon={<CaretDownIcon />} aria-haspopup="true">
        Recent Patients
      </Button>
    </PopoverNext>
  );
}
