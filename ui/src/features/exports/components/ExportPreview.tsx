import { ScrollTable } from '../../../components/ScrollTable';
import { limits, messages, say, type Wire } from '../../../contract';
import { formatDate } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import type { ExportPreview as Preview } from '../api';
import { formatQuantity } from '../../../lib/quantities';

type Column = Wire<'ExportColumnRead'>;

/** Returns the columns that have a value in one of the shown rows. */
const listFilledColumns = ({ columns, data }: Preview) =>
  columns
    .map((column, index) => ({ column, index }))
    .filter(({ index }) => data.some((row) => row[index] !== null));

/** Shows a cell as the file's spreadsheet does; midnight means that the time is not known. */
function formatCell({ type }: Column, text: string | null | undefined): string {
  if (text === null || text === undefined) return '';
  if (type === 'date') return formatDate(text);
  if (type !== 'moment') return text;
  return formatDateTime(text);
}

/** How many rows the export would have. */
export function ExportCount({ preview }: { preview: Preview }) {
  if (preview.rows === 0) return <>{messages.EXPORT_NOTHING_TO_EXPORT}</>;
  const sentence = preview.isCapped ? messages.EXPORT_COUNT_CAPPED : messages.EXPORT_COUNT;
  return (
    <>
      {say(sentence, {
        rows: formatQuantity(preview.rows, 'row'),
        orders: formatQuantity(preview.orders, 'order'),
      })}
    </>
  );
}

/** The first rows of the export, without its empty columns. */
export function ExportPreview({ preview }: { preview: Preview }) {
  const filledColumns = listFilledColumns(preview);
  if (preview.data.length === 0) return null;
  return (
    <>
      <ScrollTable
        label="First rows"
        headers={filledColumns.map(({ column }) => column.heading)}
        isDense
      >
        {preview.data.map((row, number) => (
          // Rows have no id, and the order of a preview never changes.
          <tr key={number}>
            {filledColumns.map(({ column, index }) => (
              <td key={column.name} data-type={column.type}>
                {formatCell(column, row[index])}
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
      {preview.rows > limits.EXPORT_PREVIEW_ROWS ? (
        <div className="quiet">
          {say(messages.EXPORT_FIRST_ROWS, { count: limits.EXPORT_PREVIEW_ROWS })}
        </div>
      ) : null}
    </>
  );
}
