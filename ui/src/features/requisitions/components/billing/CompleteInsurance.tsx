import { useQuery, useQueryClient } from '@tanstack/react-query';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { storePatientInsurance, toInsurances, toInsuranceWrite } from '../../../billing/api';
import { BillingPopup } from '../../../billing/components/BillingPopup';
import { completeFromPatient, type Insurance } from '../../../billing/rules';
import {
  patientQuery,
  refreshPatients,
  savePatientInsurance,
  type PatientRecord,
} from '../../../patients/api';
import { toInsuredPerson, toValues } from '../../../patients/form';

interface CompleteInsuranceProps {
  patientId: number;
  /** The key of the patient's row to complete. */
  rowKey: string;
  onClose: () => void;
  /** Called with the patient as saved. */
  onSaved: (patient: PatientRecord) => void;
}

/** Completes an insurance row of the patient from a requisition (O 5). */
export function CompleteInsurance(props: CompleteInsuranceProps) {
  const { patientId, rowKey, onClose } = props;
  const queries = useQueryClient();
  // Loaded only once: a newer copy would disturb the edits.
  const patient = useQuery({ ...patientQuery(patientId), staleTime: Infinity });
  const save = useWrite({
    send: (rows: Insurance[], idempotencyKey) =>
      savePatientInsurance(patientId, rows.map(toInsuranceWrite), {
        idempotencyKey,
        version: patient.data?.version,
      }),
    onDone: (saved) => {
      toasts.success(messages.PATIENT_SAVED);
      // The billing panel compares its rows with these at once.
      storePatientInsurance(queries, patientId, saved.insuranceInformation);
      refreshPatients(queries);
      props.onSaved(saved);
    },
    onStale: () => void patient.refetch(),
  });
  if (patient.data === undefined) {
    return (
      <FormDialog
        isOpen
        title="Edit Billing"
        width={limits.DIALOG_BILLING_EDIT_WIDTH_PX}
        onClose={onClose}
      >
        <Loaded loadState={toLoadState(patient)}>{() => null}</Loaded>
      </FormDialog>
    );
  }
  const person = toInsuredPerson(toValues({ ...patient.data, clientRow: null }));
  const rows = toInsurances(patient.data.insuranceInformation);
  const row = rows.find(({ key }) => key === rowKey);
  if (row === undefined) return null;
  return (
    <BillingPopup
      row={completeFromPatient(row, person)}
      patient={person}
      onClose={onClose}
      busy={save.isRunning}
      onSave={(changed) =>
        save.run(
          rows.map((current) =>
            completeFromPatient(current.key === rowKey ? changed : current, person),
          ),
        )
      }
    />
  );
}
