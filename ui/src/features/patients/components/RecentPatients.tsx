import type { Recent } from '../../../components/recents/useRecents';
import { CaretPopup } from '../../../components/CaretPopup';
import { ShortTable, type ShortColumn } from '../../../components/rows/ShortTable';
import { useScreen } from '../../../components/useMedia';
import { formatDate } from '../../../lib/dates';
import { limits } from '../../../contract';
import type { PatientRow } from '../api';

const columns: readonly ShortColumn<PatientRow>[] = [
  { title: 'Last Name', cell: ({ lastName }) => lastName },
  { title: 'First Name', cell: ({ firstName }) => firstName },
  { title: 'Birth Date', cell: ({ birthDate }) => formatDate(birthDate) },
];

interface RecentPatientsProps {
  patients: readonly Recent<PatientRow>[];
  onChoose: (patient: PatientRow) => void;
}

/** The patients that this user recently worked with; shown only if there are some (O 2.5). */
export function RecentPatients({ patients, onChoose }: RecentPatientsProps) {
  const screen = useScreen();
  if (patients.length === 0) return null;
  const width =
    screen === 'desktop' ? limits.RECENT_PATIENTS_WIDTH_PX : limits.RECENT_PATIENTS_TABLET_WIDTH_PX;
  return (
    <CaretPopup
      text="Recent Patients"
      content={(close) => (
        <ShortTable
          label="Recent Patients"
          rows={patients}
          codeTitle="Patient Id"
          getCode={({ code }) => code}
          columns={columns}
          width={width}
          onChoose={(patient) => {
            close();
            onChoose(patient);
          }}
        />
      )}
    />
  );
}
