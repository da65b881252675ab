import { Checkbox } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Control } from 'react-hook-form';
import { Link } from 'react-router';

import { SelectField } from '../../../components/fields/SelectField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { useFormKey } from '../../../components/forms/useFormKey';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { FloppyDiskIcon, HistoryIcon } from '../../../components/icons';
import { PageToolbar } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { toasts } from '../../../components/toasts';
import { limits, messages, Role } from '../../../contract';
import { masks } from '../../../lib/mask';
import { paths } from '../../../lib/paths';
import { ColumnsField } from '../components/ColumnsField';
import { HistoryDialog } from '../components/HistoryDialog';
import styles from '../components/labSettings.module.css';
import { LogoField } from '../components/LogoField';
import { SendingPanel } from '../components/SendingPanel';
import { labSettingsQuery, refreshSettings, saveLabSettings } from '../api';
import {
  fieldOptions,
  fields,
  labSchema,
  listMinutes,
  listYears,
  listZones,
  toValues,
  toWrite,
  type LabSettings as Settings,
  type LabValues,
} from '../form';

const TITLE = 'Lab Settings';

/** The lab's settings: a Superuser changes them, Laboratory reads them (ADR 63). */
export default function LabSettings() {
  const settings = useQuery(labSettingsQuery);
  return (
    <RecordScreen title={TITLE} loadState={toLoadState(settings)}>
      {(record) => <Form record={record} />}
    </RecordScreen>
  );
}

function Form({ record: loadedSettings }: { record: Settings }) {
  const queries = useQueryClient();
  const isLocked = !loadedSettings.canChange.allowed;
  const { form, submit, isSaving, notices } = useRecordForm<LabValues, Settings>({
    schema: labSchema,
    defaults: toValues(loadedSettings),
    record: loadedSettings,
    toValues,
    save: (values, context, record) =>
      saveLabSettings(toWrite(values, record ?? loadedSettings), context),
    reload: () => queries.query({ ...labSettingsQuery, staleTime: 0 }),
    ...fieldOptions,
    onSaved: () => {
      toasts.success(messages.LAB_SETTINGS_SAVED);
      refreshSettings(queries);
    },
  });
  const save = () => void (isSaving || isLocked || submit());
  useFormKey('mod+s', 'Save', save, 'Lab settings');
  const { control } = form;
  const entry = form.watch('resultEntryEnabled');
  const zone = form.watch('timeZone');
  const sharedProps = { control, disabled: isLocked };
  const role = { control, disabled: isLocked || !entry };
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  return (
    <>
      <PageToolbar
        title={TITLE}
        sticky
        actions={[
          { label: 'History', icon: <HistoryIcon />, onClick: () => setIsHistoryOpen(true) },
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            loading: isSaving,
            disabled: isLocked,
            reason: loadedSettings.canChange.reason ?? undefined,
            isAlwaysShown: true,
            onClick: save,
          },
        ]}
      />
      <form
        aria-label={TITLE}
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {notices}
        <div className={styles['side']}>
          <Panel title="The lab">
            <Bound control={control} name="logo">
              {({ value, onChange, error }) => (
                <LogoField value={value} onChange={onChange} error={error} disabled={isLocked} />
              )}
            </Bound>
            <TextInput {...sharedProps} name="name" required />
            <TextInput {...sharedProps} name="title" />
            <TextInput {...sharedProps} name="address" />
            <div className={styles['pair']}>
              <PhoneInput {...sharedProps} name="phone" />
              <PhoneInput {...sharedProps} name="fax" />
              <TextInput {...sharedProps} name="email" type="email" />
              <TextInput {...sharedProps} name="url" />
              <TextInput {...sharedProps} name="desktopAppUrl" />
              <TextInput {...sharedProps} name="clia" />
              <TextInput {...sharedProps} name="director" />
            </div>
          </Panel>
          <Panel title="Messages to the lab">
            <TextInput {...sharedProps} name="contactEmail" type="email" />
            <TextInput {...sharedProps} name="supplyEmail" type="email" />
            <span className="quiet">{messages.SUPPORT_EMAIL_HINT}</span>
          </Panel>
          <SendingPanel mayTest={!isLocked} />
          <Panel title="Time zone">
            <Bound control={control} name="timeZone">
              {({ value, onChange, error }) => (
                <SelectField
                  label={fields.timeZone.label}
                  value={value}
                  onChange={onChange}
                  error={error}
                  disabled={isLocked}
                  options={listZones(loadedSettings.timeZone)}
                  helperText={
                    zone === loadedSettings.timeZone ? undefined : messages.TIME_ZONE_HINT
                  }
                />
              )}
            </Bound>
          </Panel>
        </div>
        <div className={styles['side']}>
          <Panel title="Result entry">
            <Flag {...sharedProps} name="resultEntryEnabled" />
            <fieldset
              className={`${styles['flags']} ${styles['below']}`}
              aria-label="Roles besides Laboratory"
            >
              <Flag {...role} name="resultEntrySuperUser" label={Role.SUPERUSER} />
              <Flag {...role} name="resultEntryClientAdmin" label={Role.CLIENT_ADMIN} />
              <Flag {...role} name="resultEntryClientBasic" label={Role.CLIENT_BASIC} />
            </fieldset>
            <Flag {...sharedProps} name="resultVerificationRequired" />
            <Flag {...sharedProps} name="autoverificationEnabled" />
            <Link to={paths.autoverification}>Rules of autoverification</Link>
          </Panel>
          <Panel title="Sign-in">
            <Bound control={control} name="secondFactorRoles">
              {({ value, onChange }) => (
                <fieldset className={styles['flags']} aria-label={fields.secondFactorRoles.label}>
                  <span className="quiet">{fields.secondFactorRoles.label}</span>
                  {Object.values(Role).map((role) => (
                    <Checkbox
                      key={role}
                      label={role}
                      checked={value.includes(role)}
                      disabled={isLocked}
                      onChange={() =>
                        onChange(
                          Object.values(Role).filter(
                            (other) => (other === role) !== value.includes(other),
                          ),
                        )
                      }
                    />
                  ))}
                </fieldset>
              )}
            </Bound>
          </Panel>
          <Panel title="Audit log">
            <Bound control={control} name="auditRetentionYears">
              {({ value, onChange, error }) => (
                <SelectField
                  label={fields.auditRetentionYears.label}
                  value={String(value)}
                  onChange={(years) => onChange(Number(years))}
                  error={error}
                  disabled={isLocked}
                  options={listYears(loadedSettings.auditRetentionYears)}
                  helperText={messages.AUDIT_RETENTION_HINT}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Results">
            <Flag {...sharedProps} name="missingInfoEnabled" />
            <Bound control={control} name="criticalMinutes">
              {({ value, onChange, error }) => (
                <SelectField
                  label={fields.criticalMinutes.label}
                  value={String(value)}
                  onChange={(minutes) => onChange(Number(minutes))}
                  error={error}
                  disabled={isLocked}
                  options={listMinutes(loadedSettings.criticalMinutes)}
                  helperText={messages.CRITICAL_MINUTES_HINT}
                />
              )}
            </Bound>
            <TextInput {...sharedProps} name="abnormalResult" />
            <Bound control={control} name="resultColumns">
              {({ value, onChange, error }) => (
                <ColumnsField value={value} onChange={onChange} error={error} disabled={isLocked} />
              )}
            </Bound>
          </Panel>
        </div>
      </form>
      {isHistoryOpen ? <HistoryDialog onClose={() => setIsHistoryOpen(false)} /> : null}
    </>
  );
}

type NamesOf<Value> = {
  [Name in keyof LabValues]: LabValues[Name] extends Value ? Name : never;
}[keyof LabValues];

interface InputProps<Name> {
  control: Control<LabValues>;
  name: Name;
  disabled: boolean;
}

function TextInput({
  control,
  name,
  ...props
}: InputProps<Exclude<NamesOf<string>, 'timeZone'>> & { required?: boolean; type?: 'email' }) {
  return (
    <Bound control={control} name={name}>
      {(field) => (
        <TextField
          {...field}
          {...props}
          label={fields[name].label}
          maxLength={limits.LAB_TEXT_MAX}
        />
      )}
    </Bound>
  );
}

function PhoneInput({ control, name, disabled }: InputProps<'phone' | 'fax'>) {
  return (
    <Bound control={control} name={name}>
      {(field) => (
        <MaskedField {...field} label={fields[name].label} mask={masks.phone} disabled={disabled} />
      )}
    </Bound>
  );
}

/** A check box. `label` is a shorter label, where the group says the rest. */
function Flag({
  control,
  name,
  disabled,
  label = fields[name].label,
}: InputProps<NamesOf<boolean>> & { label?: string }) {
  return (
    <Bound control={control} name={name}>
      {({ value, onChange }) => (
        <Checkbox
          label={label}
          checked={value}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )}
    </Bound>
  );
}
