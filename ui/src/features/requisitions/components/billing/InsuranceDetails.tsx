import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { isIsoDate, formatDate } from '../../../../lib/dates';
import type { Insurance } from '../../../billing/rules';
import { compareWithPatient, insuranceFacts } from '../../billing';
import styles from './billing.module.css';

interface InsuranceDetailsProps {
  row: Insurance;
  /** The patient's current rows, if known. */
  patientRows: readonly Insurance[] | null;
  onClose: () => void;
}

const WIDTH_PX = 520;

const formatValue = (value: string): string =>
  (isIsoDate(value) ? formatDate(value) : value) || '–';

/** An insurance row as chosen, next to the patient's current row if that differs. */
export function InsuranceDetails({ row, patientRows, onClose }: InsuranceDetailsProps) {
  const difference = compareWithPatient(row, patientRows);
  const changedFields = difference.kind === 'changed' ? difference.fields : [];
  const currentRow = patientRows?.find(({ key }) => key === row.key);
  return (
    <FormDialog isOpen title={`Insurance ${row.order}`} width={WIDTH_PX} onClose={onClose}>
      <table className={styles['details']} aria-label="Insurance details">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Field</span>
            </th>
            <th scope="col">When chosen</th>
            {changedFields.length > 0 ? <th scope="col">Today</th> : null}
          </tr>
        </thead>
        <tbody>
          {insuranceFacts.map(([label, getValue]) => (
            <tr key={label} data-changed={changedFields.includes(label)}>
              <th scope="row">{label}</th>
              <td>{formatValue(getValue(row))}</td>
              {changedFields.length > 0 ? (
                <td>
                  {currentRow && changedFields.includes(label)
                    ? formatValue(getValue(currentRow))
                    : ''}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}
