import { ShortTable, type ShortColumn } from '../../../../components/rows/ShortTable';
import { RequisitionStatusTag } from '../../../../components/StatusTag';
import { formatDate } from '../../../../lib/dates';
import { formatDateTime } from '../../../../lib/dateTimes';

/** A requisition in a short list. */
export interface RequisitionSummary {
  id: number;
  code: string;
  /** Omitted if all rows belong to one patient. */
  patient?: { lastName: string; firstName: string; birthDate: string | null; clientName: string };
  collectionDate?: string;
  status?: number;
  testCodes: readonly string[];
}

type Column = ShortColumn<RequisitionSummary>;

const dateColumn: Column = {
  title: 'Collection Date',
  cell: (row) => formatDateTime(row.collectionDate),
};
const patientColumns: readonly Column[] = [
  { title: 'Last name', cell: ({ patient }) => patient?.lastName },
  { title: 'First name', cell: ({ patient }) => patient?.firstName },
  { title: 'Birthdate', cell: ({ patient }) => formatDate(patient?.birthDate) },
  { title: 'Client', cell: ({ patient }) => patient?.clientName },
];
const testColumn: Column = { title: 'Tests', cell: ({ testCodes }) => testCodes.join(', ') };
const statusColumn: Column = {
  title: 'Status',
  cell: ({ status }) => (status === undefined ? null : <RequisitionStatusTag status={status} />),
};

interface RequisitionTableProps {
  label: string;
  rows: readonly RequisitionSummary[];
  empty?: string;
  onChoose: (id: number) => void;
}

/** A short list of requisitions; the code opens one. */
export function RequisitionTable({ label, rows, empty, onChoose }: RequisitionTableProps) {
  const [first] = rows;
  const hasDates = first?.collectionDate !== undefined;
  return (
    <ShortTable
      label={label}
      rows={rows}
      empty={empty}
      codeTitle="Requisition Id"
      getCode={({ code }) => code}
      columns={[
        ...(hasDates ? [dateColumn] : []),
        ...(first?.patient ? patientColumns : []),
        testColumn,
        ...(hasDates ? [statusColumn] : []),
      ]}
      onChoose={({ id }) => onChoose(id)}
    />
  );
}
