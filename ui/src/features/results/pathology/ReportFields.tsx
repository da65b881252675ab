import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { RadioField, SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { RichTextField } from '../../../components/richText/RichTextField';
import { ReasonKind, ReportKind } from '../../../contract';
import { reasonsQuery } from '../../settings/api';
import { listReasonOptions } from '../../settings/reasonOptions';
import type { PathologyEntryTest } from './api';
import styles from './pathology.module.css';
import { fields, FINDINGS, KIND_LABELS, type ReportValues } from './reportForm';

interface ReportFieldsProps {
  form: UseFormReturn<ReportValues>;
  nextKinds: readonly ReportKind[];
  /** The stored report, with its reason. */
  draft: PathologyEntryTest['draft'];
  isLocked: boolean;
  onKind: (kind: string) => void;
}

/** The fields of a report; a revision also has its reason. */
export function ReportFields({ form, nextKinds, draft, isLocked, onKind }: ReportFieldsProps) {
  const { control } = form;
  const isRevision = useWatch({ control, name: 'kind' }) === String(ReportKind.REVISED);
  const reasons = useQuery({ ...reasonsQuery(ReasonKind.CORRECTION), enabled: isRevision });
  return (
    <>
      {nextKinds.length > 1 ? (
        <Bound control={control} name="kind">
          {(field) => (
            <RadioField
              label={fields.kind.label}
              value={field.value}
              disabled={isLocked}
              options={nextKinds.map((kind) => ({
                value: String(kind),
                label: KIND_LABELS[kind] ?? '',
              }))}
              onChange={(kind) => {
                field.onChange(kind);
                onKind(kind);
              }}
            />
          )}
        </Bound>
      ) : null}
      <Bound control={control} name="comment">
        {(field) => <RichTextField {...field} label={fields.comment.label} disabled={isLocked} />}
      </Bound>
      <div className={styles['details']}>
        <Bound control={control} name="signedOutBy">
          {(field) => (
            <TextField {...field} label={fields.signedOutBy.label} upper disabled={isLocked} />
          )}
        </Bound>
        <Bound control={control} name="flag">
          {(field) => (
            <SelectField
              {...field}
              label={fields.flag.label}
              placeholder="Not judged"
              options={FINDINGS}
              disabled={isLocked}
            />
          )}
        </Bound>
        {isRevision ? (
          <>
            <Bound control={control} name="reasonCode">
              {(field) => (
                <SelectField
                  {...field}
                  label={fields.reasonCode.label}
                  placeholder="None"
                  options={listReasonOptions(reasons.data, draft)}
                  disabled={isLocked}
                />
              )}
            </Bound>
            <Bound control={control} name="explanation">
              {(field) => (
                <TextField {...field} label={fields.explanation.label} disabled={isLocked} />
              )}
            </Bound>
          </>
        ) : null}
      </div>
    </>
  );
}
