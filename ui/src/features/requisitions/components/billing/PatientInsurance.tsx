import { useQuery, useQueryClient } from '@tanstack/react-query';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { storePatientInsurance, toInsurances, toInsuranceWrite } from '../../../billing/api';
import { BillingPopup } from '../../../billing/components/BillingPopup';
import {
  addInsurance,
  blankLine,
  completeFromPatient,
  type Insurance,
} from '../../../billing/rules';
import {
  patientQuery,
  refreshPatients,
  savePatientInsurance,
  type PatientRecord,
} from '../../../patients/api';
import { toInsuredPerson, toValues } from '../../../patients/form';

const NEW_KEY = 'new';

/** Returns the key of the row that a save has added. */
const findAddedKey = (before: readonly Insurance[], { insuranceInformation }: PatientRecord) =>
  toInsurances(insuranceInformation)
    .filter(({ key }) => !before.some((row) => row.key === key))
    .at(-1)?.key ?? null;

interface PatientInsuranceProps {
  patientId: number;
  /** The key of the patient's row to complete; null for a new one. */
  rowKey: string | null;
  onClose: () => void;
  /** Called with the patient as saved, and the key of the saved row. */
  onSaved: (patient: PatientRecord, rowKey: string | null) => void;
}

/** Adds or completes an insurance row of the patient from a requisition (O 5). */
export function PatientInsurance(props: PatientInsuranceProps) {
  const { patientId, rowKey, onClose } = props;
  const queries = useQueryClient();
  // Loaded only once: a newer copy would disturb the edits.
  const patient = useQuery({ ...patientQuery(patientId), staleTime: Infinity });
  const saveWrite = useWrite({
    send: (rows: Insurance[], idempotencyKey) =>
      savePatientInsurance(patientId, rows.map(toInsuranceWrite), {
        idempotencyKey,
        version: patient.data?.version,
      }),
    onDone: (savedPatient) => {
      toasts.success(messages.PATIENT_SAVED);
      // The billing panel compares its rows with these at once.
      storePatientInsurance(queries, patientId, savedPatient.insuranceInformation);
      refreshPatients(queries);
      props.onSaved(savedPatient, rowKey ?? findAddedKey(rows, savedPatient));
    },
    onStale: () => void patient.refetch(),
  });
  const rows = toInsurances(patient.data?.insuranceInformation ?? []);
  if (patient.data === undefined) {
    return (
      <FormDialog
        isOpen
        title={rowKey === null ? 'Add Insurance' : 'Edit Billing'}
        width={limits.DIALOG_BILLING_EDIT_WIDTH_PX}
        onClose={onClose}
      >
        <Loaded loadState={toLoadState(patient)}>{() => null}</Loaded>
      </FormDialog>
    );
  }
  const person = toInsuredPerson(toValues({ ...patient.data, clientRow: null }));
  const listedRows = rowKey === null ? addInsurance(rows, blankLine, NEW_KEY, person) : rows;
  const row = listedRows.find(({ key }) => key === (rowKey ?? NEW_KEY));
  if (row === undefined) return null;
  return (
    <BillingPopup
      row={completeFromPatient(row, person)}
      patient={person}
      onClose={onClose}
      busy={saveWrite.isRunning}
      isNew={rowKey === null}
      onSave={(changedRow) =>
        saveWrite.run(
          listedRows.map((current) =>
            completeFromPatient(current.key === changedRow.key ? changedRow : current, person),
          ),
        )
      }
    />
  );
}
