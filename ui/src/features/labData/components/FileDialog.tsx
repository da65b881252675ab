import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, describeError } from '../../../api';
import { CsvFileChooser } from '../../../components/CsvFileChooser';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { ChangeList } from '../../../components/records/ChangeList';
import { ScrollTable } from '../../../components/ScrollTable';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { WaitingBar } from '../../../components/WaitingBar';
import { limits, messages, say } from '../../../contract';
import { readDataUrl } from '../../../lib/files';
import { formatNumber, formatQuantity } from '../../../lib/quantities';
import { applyFile, previewFile, refreshData, type DataImport, type DataKind } from '../api';
import styles from './labData.module.css';

interface FileDialogProps {
  kind: DataKind;
  onClose: () => void;
  onImported: () => void;
}

interface ChosenFile {
  name: string;
  content: string;
}

const EXPLAINED_STATUSES = new Set([400, 409]);

/** Changes rows by a CSV file, after a preview of each change (ADR 57). */
export function FileDialog({ kind, onClose, onImported }: FileDialogProps) {
  const queries = useQueryClient();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [preview, setPreview] = useState<DataImport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const explain = (error: unknown): boolean => {
    if (!(error instanceof ApiError && EXPLAINED_STATUSES.has(error.status))) return false;
    setProblem(describeError(error));
    return true;
  };
  const previewWrite = useWrite({
    send: (content: string, key) => previewFile(kind.key, content, key),
    onDone: setPreview,
    explain,
  });
  const applyWrite = useWrite({
    send: ({ content, token }: { content: string; token: string }, key) =>
      applyFile(kind.key, content, token, key),
    onDone: ({ added, changed }) => {
      const counts = { added: formatNumber(added), changed: formatNumber(changed) };
      toasts.success(say(messages.LAB_DATA_FILE_APPLIED, counts));
      refreshData(queries, kind.key);
      onImported();
      onClose();
    },
    explain: (error, { content }) => {
      const isExplained = explain(error);
      // The preview is out of date.
      if (isExplained) previewWrite.run(content);
      return isExplained;
    },
  });
  const choose = async (chosenFile: File | undefined) => {
    if (chosenFile === undefined) return;
    setFile(null);
    setPreview(null);
    setProblem(null);
    if (chosenFile.size > limits.LAB_DATA_IMPORT_MAX_BYTES) {
      setProblem(messages.LAB_DATA_FILE_TOO_LARGE);
      return;
    }
    try {
      const content = await readDataUrl(chosenFile);
      setFile({ name: chosenFile.name, content });
      previewWrite.run(content);
    } catch {
      setProblem(messages.UPLOAD_FAILED);
    }
  };
  const changes = preview === null ? 0 : preview.added + preview.changed;
  const apply =
    preview !== null && file !== null && changes > 0
      ? () => {
          setProblem(null);
          applyWrite.run({ content: file.content, token: preview.token });
        }
      : undefined;
  const identity = kind.fields
    .filter(({ name }) => kind.identity.includes(name))
    .map(({ label }) => label)
    .join(', ');
  const max = formatNumber(limits.LAB_DATA_ROWS_MAX);
  return (
    <FormDialog
      isOpen
      title={`Import ${kind.title}`}
      width={limits.DIALOG_LAB_DATA_IMPORT_WIDTH_PX}
      submitLabel={`Change ${formatQuantity(changes, 'row')}`}
      busy={applyWrite.isRunning}
      submitDisabled={previewWrite.isRunning}
      onSubmit={apply}
      onClose={onClose}
    >
      <p className="quiet">{say(messages.LAB_DATA_FILE_HINT, { max, identity })}</p>
      <CsvFileChooser
        fileName={file?.name}
        isRunning={previewWrite.isRunning}
        disabled={applyWrite.isRunning}
        onChoose={(chosenFile) => void choose(chosenFile)}
      />
      {previewWrite.isRunning ? <WaitingBar label={messages.FILE_CHECKING} /> : null}
      {applyWrite.isRunning ? (
        <WaitingBar
          label={say(messages.LAB_DATA_FILE_APPLYING, { rows: formatQuantity(changes, 'row') })}
        />
      ) : null}
      <div role="alert">
        {problem === null ? null : <p className={styles['problem']}>{problem}</p>}
      </div>
      <div role="status">{preview === null ? '' : describeCounts(preview)}</div>
      {preview === null || preview.rows.length === 0 ? null : <Rows preview={preview} />}
    </FormDialog>
  );
}

function describeCounts({ added, changed, unchanged, rejected }: DataImport): string {
  const parts = [
    `${formatNumber(added)} new`,
    `${formatNumber(changed)} changed`,
    `${formatNumber(unchanged)} the same`,
  ];
  if (rejected > 0) parts.push(`${formatNumber(rejected)} with errors, which are not imported`);
  return `${parts.join(', ')}.`;
}

/** The rows that would change; those with errors are first, because somebody has to correct them. */
function Rows({ preview }: { preview: DataImport }) {
  return (
    <div className={styles['rows']}>
      <ScrollTable
        label="Rows of the file"
        headers={['Row', 'Name', 'Change', 'Values']}
        numbers={['Row']}
      >
        {preview.rows.map((row) => (
          <tr key={row.number}>
            <td data-type="number">{row.number}</td>
            <td>{row.name}</td>
            <td>{row.errors.length > 0 ? 'Error' : row.isNew ? 'New' : 'Changed'}</td>
            <td>
              {row.errors.length > 0 ? (
                <span className={styles['problem']}>{row.errors.join('. ')}</span>
              ) : (
                <ChangeList changes={row.changes} isNew={row.isNew} />
              )}
            </td>
          </tr>
        ))}
      </ScrollTable>
    </div>
  );
}
