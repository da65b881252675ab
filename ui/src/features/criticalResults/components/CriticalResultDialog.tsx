import { Button, Callout, Checkbox } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useLiveChanges } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { SelectField } from '../../../components/fields/SelectField';
import { TextAreaField, TextField } from '../../../components/fields/TextField';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { ScrollTable } from '../../../components/ScrollTable';
import { toasts } from '../../../components/toasts';
import { useOpenPath } from '../../../components/useOpenPath';
import { useWrite } from '../../../components/useWrite';
import { messages, say, TellingMethod, type Wire } from '../../../contract';
import { formatDate, formatTimestamp } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { formatInstant } from '../../../lib/instants';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import {
  closeCriticalResult,
  criticalResultQuery,
  recordCall,
  storeCriticalResult,
  type CriticalResult,
} from '../api';
import { describeChange, ProgressTag } from './criticalColumns';
import styles from './criticalResults.module.css';

const WIDTH_PX = 720;

const METHODS = [
  { value: TellingMethod.PHONE, label: 'Phone' },
  { value: TellingMethod.IN_PERSON, label: 'In person' },
  { value: TellingMethod.FAX, label: 'Fax' },
  { value: TellingMethod.MESSAGE, label: 'Secure message' },
];
const METHOD_LABELS = new Map<string, string>(METHODS.map(({ value, label }) => [value, label]));

interface CriticalResultDialogProps {
  id: number;
  onClose: () => void;
}

/** A critical result: the results and the people to notify, the calls so far, and the next call. */
export function CriticalResultDialog({ id, onClose }: CriticalResultDialogProps) {
  const query = useQuery(criticalResultQuery(id));
  // Nobody may read out a value that was corrected or put under review meanwhile.
  useLiveChanges('order', (change) => {
    if (change === null || change.id === query.data?.orderId) void query.refetch();
  });
  const title =
    query.data === undefined ? 'Critical Result' : `Critical Result of ${query.data.codeValue}`;
  return query.data?.canTell.allowed ? (
    <CallDialog
      title={title}
      notice={query.data}
      onClose={onClose}
      reload={async () => (await query.refetch()).data}
    />
  ) : (
    <FormDialog isOpen title={title} width={WIDTH_PX} onClose={onClose}>
      <Loaded loadState={toLoadState(query)}>{(notice) => <Facts notice={notice} />}</Loaded>
    </FormDialog>
  );
}

interface CallDialogProps {
  title: string;
  notice: CriticalResult;
  onClose: () => void;
  reload: () => Promise<CriticalResult | undefined>;
}

const blankCall = { toldName: '', method: TellingMethod.PHONE as string, note: '' };

/** The dialog for the lab, with the next call. */
function CallDialog({ title, notice, onClose, reload }: CallDialogProps) {
  const queries = useQueryClient();
  // A live change shows at once, but the caller may have read out the earlier values. The portal
  // then rejects the call, so that the caller looks at the current results before recording again.
  const [seenVersion, setSeenVersion] = useState(notice.version);
  const seenNotice = { ...notice, version: seenVersion };
  const [isReloading, setIsReloading] = useState(false);
  const onStale = () => {
    setIsReloading(true);
    void reload().then((present) => {
      if (present !== undefined) setSeenVersion(present.version);
      setIsReloading(false);
    });
  };
  const [call, setCall] = useState(blankCall);
  const [hasReadBack, setHasReadBack] = useState(false);
  const [isTold, setIsTold] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const [isNoteChecked, setIsNoteChecked] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  // A new object for each rejection, so that each one moves the focus.
  const [rejection, setRejection] = useState<{ field: 'name' | 'note' } | null>(null);
  // In an effect, so that a screen reader reads the new message with the field.
  useEffect(() => {
    if (rejection !== null) (rejection.field === 'name' ? nameField : noteField).current?.focus();
  }, [rejection]);
  const edit = (change: Partial<typeof blankCall>) => setCall({ ...call, ...change });
  const saveWrite = useWrite({
    send: (body: Wire<'CallWrite'>, key) => recordCall(seenNotice, body, key),
    onDone: (criticalResult) => {
      setSeenVersion(criticalResult.version);
      storeCriticalResult(queries, criticalResult);
      setCall(blankCall);
      setHasReadBack(false);
      setIsTold(false);
      setIsChecked(false);
      setIsNoteChecked(false);
      toasts.success(messages.CRITICAL_CALL_SAVED);
    },
    onStale,
  });
  const closeWrite = useWrite({
    send: (note: string | null, key) => closeCriticalResult(seenNotice, note, key),
    onDone: (criticalResult) => {
      storeCriticalResult(queries, criticalResult);
      toasts.success(messages.CRITICAL_CLOSED);
      onClose();
    },
    onStale,
  });
  const isNameMissing = call.toldName.trim() === '';
  const note = call.note.trim() === '' ? null : call.note.trim();
  const isNoteMissing = notice.toldAt === null && note === null;
  const submit = () => {
    setIsChecked(true);
    if (isNameMissing) {
      setRejection({ field: 'name' });
      return;
    }
    const { toldName } = call;
    saveWrite.run({ toldName, method: call.method as TellingMethod, isTold, hasReadBack, note });
  };
  const close = () => {
    setIsNoteChecked(true);
    if (isNoteMissing) setRejection({ field: 'note' });
    else closeWrite.run(note);
  };
  return (
    <FormDialog
      isOpen
      title={title}
      width={WIDTH_PX}
      submitLabel="Record Call"
      closeLabel="Cancel"
      busy={saveWrite.isRunning || isReloading}
      onSubmit={submit}
      onClose={onClose}
      extra={
        <ActButton
          variant="outlined"
          isRunning={closeWrite.isRunning || isReloading}
          onClick={close}
        >
          Close Task
        </ActButton>
      }
    >
      <Facts notice={notice} />
      <fieldset className={styles['call']}>
        <legend>Next call</legend>
        <TextField
          label="Person called"
          required
          inputRef={nameField}
          value={call.toldName}
          onChange={(toldName) => edit({ toldName })}
          error={isChecked && isNameMissing ? messages.CRITICAL_NAME_REQUIRED : undefined}
        />
        <SelectField
          label="How"
          value={call.method}
          onChange={(method) => edit({ method })}
          options={METHODS}
        />
        <Checkbox
          label="Reached"
          checked={isTold}
          onChange={({ currentTarget }) => {
            setIsTold(currentTarget.checked);
            if (!currentTarget.checked) setHasReadBack(false);
          }}
        />
        <Checkbox
          label="Read the results back"
          checked={hasReadBack}
          onChange={({ currentTarget }) => {
            setHasReadBack(currentTarget.checked);
            if (currentTarget.checked) setIsTold(true);
          }}
        />
        <TextAreaField
          label="Note"
          inputRef={noteField}
          value={call.note}
          onChange={(text) => edit({ note: text })}
          error={isNoteChecked && isNoteMissing ? messages.CRITICAL_NOTE_REQUIRED : undefined}
        />
      </fieldset>
    </FormDialog>
  );
}

/** Whether there is a newer result to report; there is none while it is under review. */
const hasNewerResult = (item: CriticalResult['items'][number]): boolean =>
  item.replacedBy !== null || item.corrects !== null;

function Facts({ notice }: { notice: CriticalResult }) {
  const openPath = useOpenPath();
  const { contacts, items, calls, alerts } = notice;
  // Only the lab calls; other readers see whom it has notified.
  const isToTell = notice.closedAt === null && notice.canTell.allowed;
  return (
    <div className={styles['facts']}>
      <p>
        <ProgressTag row={notice} />{' '}
        <strong>
          {notice.patientLastName}, {notice.patientFirstName}
        </strong>{' '}
        {[formatDate(notice.patientBirthDate), notice.clientName].filter(Boolean).join(' · ')} ·
        collected {formatDateTime(notice.collectionDate)}
        {notice.physicianName === null ? null : ` · ${notice.physicianName}`}{' '}
        <Button
          variant="minimal"
          size="small"
          intent="primary"
          onClick={() => void openPath(buildMatrix(paths.orderResults, { id: notice.orderId }))}
        >
          Open Results
        </Button>
      </p>
      <p className="quiet">
        First released {formatInstant(notice.openedAt)} · report by {formatInstant(notice.dueAt)}
      </p>
      {isToTell && items.some(hasNewerResult) ? (
        <Callout compact intent="warning" className={styles['change'] ?? ''}>
          {messages.CRITICAL_TELL_PRESENT}
        </Callout>
      ) : null}
      {isToTell && items.length > 0 && items.every(({ isReplaced }) => isReplaced) ? (
        <p>
          {items.every(({ replacedBy }) => replacedBy !== null)
            ? messages.CRITICAL_ALL_CORRECTED
            : messages.CRITICAL_ALERTS_WAIT}
        </p>
      ) : null}
      {items.length > 0 ? (
        <ScrollTable
          label="Results to report"
          headers={['Test', 'Result', 'Flag', 'Released', 'Since its release']}
        >
          {items.map((item) => (
            <tr key={`${item.name} ${item.releasedAt} ${item.result}`}>
              <th scope="row">{item.name}</th>
              <td data-title="Result">
                {item.isReplaced ? item.result : <strong>{item.result}</strong>}
              </td>
              <td data-title="Flag">{item.flag}</td>
              <td data-title="Released">{formatTimestamp(item.releasedAt)}</td>
              <td data-title="Since its release">{renderChange(item)}</td>
            </tr>
          ))}
        </ScrollTable>
      ) : null}
      {contacts.length > 0 && isToTell ? (
        <p>
          <strong>{describeFirstCall(contacts)}</strong>
        </p>
      ) : null}
      {contacts.length > 0 ? (
        <ScrollTable label="Contacts" headers={['Contact', 'Duty', 'Phone', 'Hours', 'Alert']}>
          {contacts.map((contact) => (
            <tr key={contact.position}>
              <th scope="row">{contact.name}</th>
              <td data-title="Duty">{contact.duty}</td>
              <td data-title="Phone" data-type="name">
                {contact.phone}
              </td>
              <td data-title="Hours">{describeHours(contact)}</td>
              <td data-title="Alert">{describeAlert(alerts, contact)}</td>
            </tr>
          ))}
        </ScrollTable>
      ) : notice.clientPhone === null ? null : (
        <p>
          {notice.clientName}: {notice.clientPhone}
        </p>
      )}
      {calls.length > 0 ? (
        <ScrollTable
          label="Calls"
          headers={['Time', 'Person called', 'How', 'Outcome', 'By', 'Note']}
        >
          {calls.map((call) => (
            <tr key={call.madeAt}>
              <td data-title="Time">{formatInstant(call.madeAt)}</td>
              <th scope="row">{call.toldName}</th>
              <td data-title="How">{METHOD_LABELS.get(call.method)}</td>
              <td data-title="Outcome">{describeOutcome(call)}</td>
              <td data-title="By">{call.madeBy}</td>
              <td data-title="Note">{call.note}</td>
            </tr>
          ))}
        </ScrollTable>
      ) : (
        <p className="quiet">No calls yet</p>
      )}
      {notice.closedAt === null ? null : (
        <p>
          Closed {formatInstant(notice.closedAt)} by {notice.closedBy}
          {notice.closingNote === null ? '' : `: ${notice.closingNote}`}
        </p>
      )}
    </div>
  );
}

function renderChange(item: CriticalResult['items'][number]) {
  const change = describeChange(item);
  return change === null ? null : <strong>{change}</strong>;
}

type Contact = CriticalResult['contacts'][number];

/** The contacts come in the order in which they are called. */
function describeFirstCall(contacts: readonly Contact[]): string {
  const first = contacts.find(({ isOpen }) => isOpen);
  if (first === undefined) return messages.CRITICAL_ALL_CLOSED;
  return say(messages.CRITICAL_CALL_FIRST, { name: first.name });
}

function describeHours({ hours, isOpen }: Contact): string {
  if (hours === null) return 'Always';
  return `${hours} · ${isOpen ? 'open' : 'closed'} now`;
}

function describeOutcome(call: CriticalResult['calls'][number]): string {
  if (call.hasReadBack) return 'Read back';
  return call.isTold ? 'Reached' : 'Not reached';
}

/** Describes the state of the e-mail to a contact; a contact without an address gets only calls. */
function describeAlert(alerts: CriticalResult['alerts'], { position, name }: Contact): string {
  // Two contacts may have the same name, and positions may have changed since the alert.
  const alert = alerts.findLast(
    (candidate) => candidate.position === position && candidate.name === name,
  );
  if (alert === undefined) return '';
  if (alert.email === null) return `Call now (${formatInstant(alert.createdAt)})`;
  if (alert.sentAt !== null) return `E-mail ${formatInstant(alert.sentAt)}`;
  return alert.hasFailed ? 'E-mail failed' : 'E-mail waits';
}
