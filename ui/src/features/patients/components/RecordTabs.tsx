import { Tab, Tabs } from '@blueprintjs/core';
import type { JSX } from 'react';
import { useFormState, useWatch, type UseFormReturn } from 'react-hook-form';

import { Bound } from '../../../components/forms/Bound';
import { errorMessages, listMessage, rowMessages } from '../../../components/forms/errorMessages';
import { today } from '../../../lib/dates';
import { ErrorIcon } from '../../../components/icons';
import { insuranceOf, loadPatientInsurance } from '../../billing/api';
import { BillingEditor } from '../../billing/components/BillingEditor';
import type { Insurance } from '../../billing/rules';
import type { Billing } from '../../billing/useBilling';
import { DiagnosisPicker } from '../../catalog/components/DiagnosisPicker';
import { Medications } from '../../catalog/components/Medications';
import { labels, type PatientValues } from '../fields';
import { lists, personFields, personOf, type PatientList } from '../form';
import styles from './patientForm.module.css';
import { ResponsibleParties } from './ResponsibleParties';

interface RecordTabsProps {
  form: UseFormReturn<PatientValues>;
  billing: Billing;
  /** The patient's id; null before it is registered. */
  patientId: number | null;
  /** Why the insurance that is typed stands in the way of saving. */
  notice: string | null;
  tab: PatientList;
  onTab: (tab: PatientList) => void;
}

const TABS_ID = 'patient-records';

const panelOf = (list: PatientList) => document.getElementById(`bp6-tab-panel_${TABS_ID}_${list}`);

/** The tab that a field is in. */
export const listAround = (field: HTMLElement): PatientList | undefined =>
  lists.find((list) => panelOf(list)?.contains(field));

/** Brings the first refused row into view, or the tab when its list as a whole was refused. */
export function focusRefused(list: PatientList): void {
  const title = document.getElementById(`bp6-tab-title_${TABS_ID}_${list}`);
  const row = panelOf(list)?.querySelector<HTMLElement>('[data-problem="true"]');
  title?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  (row ?? title)?.focus();
}

/** What belongs to a patient in lists: four tabs, each with its count (O 2.1). */
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
            error={joined(errors.diagnoses)}
            date={today()}
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
            error={joined(errors.medications)}
          />
        )}
      </Bound>
    ),
    responsibleParties: (
      <Bound control={form.control} name="responsibleParties">
        {(field) => (
          <>
            <ListProblem error={errors.responsibleParties} />
            <ResponsibleParties
              parties={field.value}
              onChange={field.onChange}
              problems={(place) => rowMessages(errors.responsibleParties, place)}
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
            // Said outright: Blueprint's arrow keys move among tabs that say they are enabled.
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

/** Said and seen: something in this tab is wrong. */
function ErrorMark() {
  return (
    <>
      <ErrorIcon size={12} className={styles['tabError'] ?? ''} />
      <span className="visually-hidden">Has errors:</span>{' '}
    </>
  );
}

const joined = (error: unknown): string | undefined => errorMessages(error).join('. ') || undefined;

/** What is wrong with a list as a whole. */
function ListProblem({ error }: { error: unknown }) {
  const message = listMessage(error);
  return message ? (
    <p role="alert" className={styles['problem']}>
      {message}
    </p>
  ) : null;
}

type InsuranceTabProps = Pick<RecordTabsProps, 'form' | 'billing' | 'patientId' | 'notice'>;

function InsuranceTab({ form, billing, patientId, notice }: InsuranceTabProps) {
  const { control } = form;
  // Whenever one of these changes, rows of SELF change with it.
  useWatch({ control, name: personFields });
  const { errors, defaultValues } = useFormState({ control });
  const error = errors.insuranceInformation;
  return (
    <>
      <ListProblem error={notice === null ? error : { message: notice }} />
      <Bound control={control} name="insuranceInformation">
        {(field) => (
          <BillingEditor
            billing={billing}
            rows={field.value}
            onChange={field.onChange}
            patient={personOf(form.getValues())}
            saved={(defaultValues?.insuranceInformation ?? []) as Insurance[]}
            reload={
              patientId === null
                ? undefined
                : async () => insuranceOf(await loadPatientInsurance(patientId))
            }
            problems={(place) => rowMessages(error, place)}
          />
        )}
      </Bound>
    </>
  );
}
