import { RadioField } from '../../../components/fields/SelectField';
import { ExportFormat } from '../../../contract';

const FORMATS: readonly { value: ExportFormat; label: string }[] = [
  { value: ExportFormat.XLSX, label: 'Excel (XLSX)' },
  { value: ExportFormat.CSV, label: 'Text (CSV)' },
];

interface FormatFieldProps {
  value: ExportFormat;
  onChange: (value: ExportFormat) => void;
}

/** The format of an exported file. */
export function FormatField({ value, onChange }: FormatFieldProps) {
  return (
    <RadioField
      label="Format"
      value={value}
      options={FORMATS}
      onChange={(next) => onChange(next === 'csv' ? ExportFormat.CSV : ExportFormat.XLSX)}
    />
  );
}
