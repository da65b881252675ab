import { Tab, Tabs } from '@blueprintjs/core';
import type { JSX } from 'react';
import { useFormState, useWatch, type UseFormReturn } from 'react-hook-form';

import { Bound } from '../../../components/forms/Bound';
import {
  collectErrorMessages,
  getListMessage,
  getRowMessages,
} from '../../../components/forms/errorMessages';
import { getToday } from '../../../lib/dates';
import { ErrorIcon } from '../../../components/icons';
import { toInsurances, loadPatientInsurance } from '../../billing/api';
import { BillingEditor } from '../../billing/components/BillingEditor';
import type { Insurance } from '../../billing/rules';
import type { Billing } from '../../billing/useBilling';
import { DiagnosisPicker } from '../../catalog/components/DiagnosisPicker';
import { Medications } from '../../catalog/components/Medications';
import { labels, type PatientValues } from '../fields';
import { lists, personFields, toInsuredPerson, type PatientList } from '../form';
import styles from './patientForm.module.css';
import { ResponsibleParties } from './ResponsibleParties';

interface RecordTabsProps {
  form: UseFormReturn<PatientValues>;
  billing: Billing;
  /** The patient's id; null before it is registered. */
  patientId: number | null;
  /** Why the insurance being typed prevents saving. */
  notice: string | null;
  tab: PatientList;
  onTab: (tab: PatientList) => void;
}

const TABS_ID = 'patient-records';

const getPanel = (list: PatientList) => document.getElementById(`bp6-tab-panel_${TABS_ID}_${list}`);

/** Returns the list whose tab contains a field. */
export const findList = (field: HTMLElement): PatientList | undefined =>
  lists.find((list) => getPanel(list)?.contains(field));

/** Focuses the first row with an error, or the tab if the whole list has an error. */
export function focusError(list: PatientList): void {
  const title = document.getElementById(`bp6-tab-title_${TABS_ID}_${list}`);
  const row = getPanel(list)?.querySelector<HTMLElement>('[data-problem="true"]');
  title?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  (row ?? title)?.focus();
}

/** The lists of a patient: four tabs with counts (O 2.1). */
export function RecordTabs({ form, tab, onTab, ...props }: RecordTabsProps) {
  const counts = useWatch({ control: form.control, name: lists });
  const { errors } = useFormState({ control: form.control });
  const panels: Readonly<Record<PatientList, JSX.Element>> = {
    insuranceInformation: <InsuranceTab form={form} {...props} />,
    diagnoses: (
      <Bound control={form.control} name="diagnoses">
        {(field) => (
          <DiagnosisPicker
            label={labels.diagnoses}
            value={field.value}
            onChange={field.onChange}
            error={joinMessages(errors.diagnoses)}
            date={getToday()}
          />
        )}
      </Bound>
    ),
    medications: (
      <Bound control={form.control} name="medications">
        {(field) => (
          <Medications
            value={field.value}
            onChange={field.onChange}
            error={joinMessages(errors.medications)}
          />
        )}
      </Bound>
    ),
    responsibleParties: (
      <Bound control={form.control} name="responsibleParties">
        {(field) => (
          <>
            <ListError error={errors.responsibleParties} />
            <ResponsibleParties
              parties={field.value}
              onChange={field.onChange}
              getRowProblems={(index) => getRowMessages(errors.responsibleParties, index)}
            />
          </>
        )}
      </Bound>
    ),
  };
  return (
    <section aria-label="Patient records" className={styles['tabs']}>
      <Tabs
        id={TABS_ID}
        animate={false}
        selectedTabId={tab}
        onChange={(next) => onTab(next as PatientList)}
      >
        {lists.map((list, index) => (
          <Tab
            key={list}
            id={list}
            // Set explicitly: Blueprint's arrow keys only move among tabs with `disabled={false}`.
            disabled={false}
            panelClassName={styles['tabPanel'] ?? ''}
            tagContent={counts[index]?.length ?? 0}
            tagProps={{ minimal: true, round: true }}
            panel={panels[list]}
          >
            {errors[list] ? <ErrorMark /> : null}
            {labels[list]}{' '}
          </Tab>
        ))}
      </Tabs>
    </section>
  );
}

/** Marks a tab that contains errors, visibly and for screen readers. */
function ErrorMark() {
  return (
    <>
      <ErrorIcon size={12} className={styles['tabError'] ?? ''} />
      <span className="visually-hidden">Has errors:</span>{' '}
    </>
  );
}

const joinMessages = (error: unknown): string | undefined =>
  collectErrorMessages(error).join('. ') || undefined;

/** The error of a list as a whole. */
function ListError({ error }: { error: unknown }) {
  const message = getListMessage(error);
  return message ? (
    <p role="alert" className={styles['problem']}>
      {message}
    </p>
  ) : null;
}

type InsuranceTabProps = Pick<RecordTabsProps, 'form' | 'billing' | 'patientId' | 'notice'>;

function InsuranceTab({ form, billing, patientId, notice }: InsuranceTabProps) {
  const { control } = form;
  // Rows with the relationship SELF change with these fields.
  useWatch({ control, name: personFields });
  const { errors, defaultValues } = useFormState({ control });
  const error = errors.insuranceInformation;
  return (
    <>
      <ListError error={notice === null ? error : { message: notice }} />
      <Bound control={control} name="insuranceInformation">
        {(field) => (
          <BillingEditor
            billing={billing}
            rows={field.value}
            onChange={field.onChange}
            patient={toInsuredPerson(form.getValues())}
            savedRows={(defaultValues?.insuranceInformation ?? []) as Insurance[]}
            reload={
              patientId === null
                ? undefined
                : async () => toInsurances(await loadPatientInsurance(patientId))
            }
            getRowProblems={(index) => getRowMessages(error, index)}
          />
        )}
      </Bound>
    </>
  );
}
