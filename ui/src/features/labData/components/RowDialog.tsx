import { Callout, Tab, Tabs } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useWatch, type Control } from 'react-hook-form';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { limits, messages, say } from '../../../contract';
import { formatQuantity } from '../../../lib/quantities';
import {
  changeRecord,
  createRecord,
  kindsQuery,
  loadRecord,
  recordQuery,
  refreshData,
  type DataKind,
  type DataRecord,
} from '../api';
import {
  buildBlank,
  buildFormOptions,
  buildSchema,
  toValues,
  toWrite,
  type FormValues,
} from '../form';
import { FieldInput } from './FieldInput';
import { HistoryPanel } from './HistoryPanel';
import { KindGrid } from './KindGrid';
import styles from './labData.module.css';

interface RowDialogProps {
  kind: DataKind;
  /** The row to edit; null for a new one. */
  id: number | null;
  /** Values of a new row that cannot be edited, such as the record that it belongs to. */
  chosenValues?: FormValues;
  onClose: () => void;
  onSaved: () => void;
}

/** The form of a row, with its children and its history. */
export function RowDialog({ id, ...props }: RowDialogProps) {
  return id === null ? <Form {...props} /> : <EditDialog id={id} {...props} />;
}

function EditDialog({ id, ...props }: RowDialogProps & { id: number }) {
  const query = useQuery(recordQuery(props.kind.key, id));
  if (query.data !== undefined) return <Form record={query.data} {...props} />;
  return (
    <FormDialog
      isOpen
      title={props.kind.singular}
      width={limits.DIALOG_LAB_DATA_WIDTH_PX}
      onClose={props.onClose}
    >
      <Loaded loadState={toLoadState(query)}>{() => null}</Loaded>
    </FormDialog>
  );
}

const UNIT = 'unit';

interface UnitNoticeProps {
  control: Control<FormValues>;
  record: DataRecord;
}

/** Says which limits of a test no longer apply if its unit is saved as it is now (ADR 102). */
function UnitNotice({ control, record }: UnitNoticeProps) {
  const unit = useWatch({ control, name: UNIT });
  const isChanged = String(unit).trim() !== String(record.values[UNIT] ?? '');
  const counts = record.unitLimits.map(({ count, singular, title }) =>
    formatQuantity(count, singular.toLowerCase(), title.toLowerCase()),
  );
  return (
    <div role="status" className={styles['unitNotice']}>
      {isChanged && counts.length > 0 ? (
        <Callout compact intent="warning">
          {say(messages.UNIT_STOPS_LIMITS, { limits: counts.join(', ') })}
        </Callout>
      ) : null}
    </div>
  );
}

const FORM = 'form';
const HISTORY = 'history';

function Form({
  kind,
  record,
  chosenValues = {},
  onClose,
  onSaved,
}: Omit<RowDialogProps, 'id'> & { record?: DataRecord }) {
  const queries = useQueryClient();
  const [tab, setTab] = useState<string>(FORM);
  const kinds = useQuery(kindsQuery).data ?? [];
  const permission = record?.canChange ?? kind.canChange;
  const { form, submit, isSaving, isDirty, notices } = useRecordForm<FormValues, DataRecord>({
    schema: buildSchema(kind),
    defaults: buildBlank(kind, chosenValues),
    record,
    toValues: toValues(kind),
    save: (values, context, current) =>
      current === undefined
        ? createRecord(kind.key, toWrite(values), context)
        : changeRecord(kind.key, current.id, toWrite(values), context),
    reload: (current) => loadRecord(kind.key, current.id),
    ...buildFormOptions(kind),
    onSaved: (row) => {
      toasts.success(say(messages.LAB_DATA_SAVED, { name: row.name }));
      refreshData(queries, kind.key);
      onSaved();
      onClose();
    },
  });
  const findNote = (name: string) => {
    const text = record?.notes[name];
    return text === undefined || record === undefined
      ? undefined
      : { value: toValues(kind)(record)[name], text };
  };
  const fields = (
    <div className={styles['fields']}>
      {kind.fields.map((field) => {
        const isFixed = field.name in chosenValues || (field.fixed && record !== undefined);
        const input = (
          <FieldInput
            key={field.name}
            control={form.control}
            field={field}
            disabled={!permission.allowed || isFixed}
            note={findNote(field.name)}
          />
        );
        if (field.name !== UNIT || record === undefined) return input;
        return (
          <Fragment key={field.name}>
            {input}
            <UnitNotice control={form.control} record={record} />
          </Fragment>
        );
      })}
    </div>
  );
  const save = async () => {
    if ((await submit()) === null) setTab(FORM);
  };
  const children = kinds.filter(({ key }) => kind.children.includes(key));
  return (
    <GuardedDialog
      isOpen
      title={record === undefined ? `New ${kind.singular}` : `${kind.singular} ${record.name}`}
      width={limits.DIALOG_LAB_DATA_WIDTH_PX}
      busy={isSaving}
      isDirty={isDirty}
      onSubmit={permission.allowed && tab === FORM ? () => void save() : undefined}
      onClose={onClose}
    >
      {notices}
      {permission.reason === null ? null : <p className="quiet">{permission.reason}</p>}
      {record === undefined ? (
        fields
      ) : (
        <Tabs
          id="lab-data"
          animate={false}
          renderActiveTabPanelOnly
          selectedTabId={tab}
          onChange={(next) => setTab(String(next))}
        >
          <Tab
            id={FORM}
            disabled={false}
            title={kind.singular}
            panelClassName={styles['panel'] ?? ''}
            panel={fields}
          />
          {children.map((child) => (
            <Tab
              key={child.key}
              id={child.key}
              disabled={false}
              title={child.title}
              panelClassName={styles['panel'] ?? ''}
              panel={
                <div className={styles['child']}>
                  <KindGrid kind={child} parent={record.name} />
                </div>
              }
            />
          ))}
          <Tab
            id={HISTORY}
            disabled={false}
            title="History"
            panelClassName={styles['panel'] ?? ''}
            panel={<HistoryPanel kind={kind.key} id={record.id} />}
          />
        </Tabs>
      )}
    </GuardedDialog>
  );
}
