import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { ApiError, describeError } from '../../../api';
import { CsvFileChooser } from '../../../components/CsvFileChooser';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { ScrollTable } from '../../../components/ScrollTable';
import { useWrite } from '../../../components/useWrite';
import { WaitingBar } from '../../../components/WaitingBar';
import { limits, messages, say } from '../../../contract';
import { readDataUrl } from '../../../lib/files';
import { formatNumber, formatQuantity } from '../../../lib/quantities';
import { FIRST_ROW, importUsers, previewImport, refreshUsers, type UserImport } from '../api';
import styles from './users.module.css';

interface ImportDialogProps {
  onClose: () => void;
  onImported: () => void;
}

interface ChosenFile {
  name: string;
  content: string;
}

/** Invites the people of a CSV file, after a preview (ADR 60). */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const queries = useQueryClient();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [preview, setPreview] = useState<UserImport | null>(null);
  const [result, setResult] = useState<UserImport | null>(null);
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const [problem, setProblem] = useState<string | null>(null);
  const [isInviting, setIsInviting] = useState(false);
  const explain = (error: unknown): boolean => {
    if (!(error instanceof ApiError && error.status === 400)) return false;
    setProblem(describeError(error));
    return true;
  };
  const previewWrite = useWrite({ send: previewImport, onDone: setPreview, explain });
  const importWrite = useWrite({ send: importUsers, explain });
  /** Invites one part of the file after the other; a failed part can be repeated. */
  const inviteAll = async ({ content }: ChosenFile) => {
    setProblem(null);
    setIsInviting(true);
    let outcome = result ?? NOBODY;
    try {
      while (outcome.nextRow !== null && isOpen.current) {
        const part = await importWrite.runAsync({ content, firstRow: outcome.nextRow });
        outcome = addPart(outcome, part);
        setResult(outcome);
      }
    } catch {
      // `importWrite` has already shown the reason.
    }
    setIsInviting(false);
    refreshUsers(queries);
    if (outcome.nextRow === null) onImported();
  };
  const choose = async (chosenFile: File | undefined) => {
    if (chosenFile === undefined) return;
    setFile(null);
    setPreview(null);
    setResult(null);
    setProblem(null);
    if (chosenFile.size > limits.USER_IMPORT_MAX_BYTES) {
      setProblem(messages.USER_IMPORT_TOO_LARGE);
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
  const invitedCount = preview?.accepted ?? 0;
  const remainingCount = invitedCount - (result?.accepted ?? 0);
  const isDone = result?.nextRow === null;
  const invite =
    !isDone && file !== null && invitedCount > 0 ? () => void inviteAll(file) : undefined;
  return (
    <FormDialog
      isOpen
      title="Import Users"
      width={limits.DIALOG_USER_IMPORT_WIDTH_PX}
      submitLabel={`Invite ${countPeople(remainingCount)}`}
      busy={importWrite.isRunning}
      onSubmit={invite}
      onClose={onClose}
    >
      <p className="quiet">
        {say(messages.USER_IMPORT_HINT, { max: formatNumber(limits.USER_IMPORT_MAX) })}
      </p>
      <CsvFileChooser
        fileName={file?.name}
        isRunning={previewWrite.isRunning}
        disabled={importWrite.isRunning}
        onChoose={(chosenFile) => void choose(chosenFile)}
      />
      {previewWrite.isRunning ? <WaitingBar label={messages.FILE_CHECKING} /> : null}
      {isInviting ? (
        <WaitingBar label={messages.USER_IMPORT_INVITING} value={measureShare(preview, result)} />
      ) : null}
      <div role="alert">
        {problem === null ? null : <p className={styles['problem']}>{problem}</p>}
      </div>
      <div role="status">{describeCounts(preview, result)}</div>
      {preview === null ? null : <People result={isDone ? result : preview} isDone={isDone} />}
    </FormDialog>
  );
}

const countPeople = (count: number): string => formatQuantity(count, 'person', 'people');

/** The result before the first part. */
const NOBODY: UserImport = { accepted: 0, rejected: 0, rows: [], nextRow: FIRST_ROW };

const sortErrorsFirst = (rows: UserImport['rows']): UserImport['rows'] => [
  ...rows.filter(({ errors }) => errors.length > 0),
  ...rows.filter(({ errors }) => errors.length === 0),
];

/** Adds the outcome of a part. A page of 50,000 rows would freeze the browser. */
const addPart = (total: UserImport, part: UserImport): UserImport => ({
  accepted: total.accepted + part.accepted,
  rejected: total.rejected + part.rejected,
  rows: sortErrorsFirst([...total.rows, ...part.rows]).slice(0, limits.USER_IMPORT_PART_ROWS),
  nextRow: part.nextRow,
});

/** Returns how much of the file has been read, from 0 to 1. */
function measureShare(preview: UserImport | null, result: UserImport | null): number {
  const count = (part: UserImport | null) => (part?.accepted ?? 0) + (part?.rejected ?? 0);
  return count(result) / Math.max(count(preview), 1);
}

function describeCounts(preview: UserImport | null, result: UserImport | null): string {
  const shownOutcome = result ?? preview;
  if (preview === null || shownOutcome === null) return '';
  if (result !== null && result.nextRow !== null) {
    const total = formatNumber(preview.accepted);
    return `${formatNumber(result.accepted)} of ${total} people invited.`;
  }
  const summary = `${countPeople(shownOutcome.accepted)} ${result === null ? 'will be invited' : 'invited'}`;
  const rejectedCount = shownOutcome.rejected;
  return rejectedCount === 0
    ? `${summary}.`
    : `${summary}, ${formatNumber(rejectedCount)} with errors.`;
}

const HEADERS = ['Row', 'Email', 'Name', 'Role', 'For', 'Result'];

/** The rows of the file; those with errors are first, because somebody has to correct them. */
function People({ result, isDone }: { result: UserImport; isDone: boolean }) {
  const rows = sortErrorsFirst(result.rows);
  return (
    <div className={styles['people']}>
      <ScrollTable label="People of the file" headers={HEADERS} numbers={['Row']}>
        {rows.map((row) => (
          <tr key={row.number}>
            <td data-type="number">{row.number}</td>
            <td>{row.email}</td>
            <td>{[row.lastName, row.firstName].filter(Boolean).join(', ')}</td>
            <td>{row.role}</td>
            <td>{row.assigned.join('; ')}</td>
            <td>
              {row.errors.length === 0 ? (
                <span>{isDone ? 'Invited' : 'Will be invited'}</span>
              ) : (
                <span className={styles['problem']}>{row.errors.join('. ')}</span>
              )}
            </td>
          </tr>
        ))}
      </ScrollTable>
    </div>
  );
}
