import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { isIsoDate, formatDate } from '../../../../lib/dates';
import type { Insurance } from '../../../billing/rules';
import { differenceOf, facts } from '../../billing';
import styles from './billing.module.css';

interface InsuranceDetailsProps {
  row: Insurance;
  /** The patient's rows of today, where they are known. */
  patientRows: readonly Insurance[] | null;
  onClose: () => void;
}

const WIDTH_PX = 520;

const shown = (value: string): string => (isIsoDate(value) ? formatDate(value) : value) || '–';

/** An insurance row as it was chosen and, where the patient's row differs by now, as it is. */
export function InsuranceDetails({ row, patientRows, onClose }: InsuranceDetailsProps) {
  const difference = differenceOf(row, patientRows);
  const changed = difference.kind === 'changed' ? difference.fields : [];
  const now = patientRows?.find(({ key }) => key === row.key);
  return (
    <FormDialog isOpen title={`Insurance ${row.order}`} width={WIDTH_PX} onClose={onClose}>
      <table className={styles['details']} aria-label="Insurance details">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Field</span>
            </th>
            <th scope="col">When chosen</th>
            {changed.length > 0 ? <th scope="col">Today</th> : null}
          </tr>
        </thead>
        <tbody>
          {facts.map(([label, of]) => (
            <tr key={label} data-changed={changed.includes(label)}>
              <th scope="row">{label}</th>
              <td className="number">{shown(of(row))}</td>
              {changed.length > 0 ? (
                <td className="number">{now && changed.includes(label) ? shown(of(now)) : ''}</td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}
