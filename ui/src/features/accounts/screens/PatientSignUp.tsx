import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import { z } from 'zod';

import { ApiError } from '../../../api';
import { DateField } from '../../../components/fields/DateField';
import { TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { buildRequiredRule } from '../../../components/forms/textRules';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { limits, messages } from '../../../contract';
import { getToday, isIsoDate } from '../../../lib/dates';
import { isEmail } from '../../../lib/email';
import { paths } from '../../../lib/paths';
import { signUpPatient } from '../api';
import { EntryFailure, EntryPage, EntrySubmit } from '../components/EntryPage';
import styles from '../components/EntryPage.module.css';
import { explainEntryFailure } from '../failures';

/** The rules of P 5, 'Patient sign up'. */
const schema = z.object({
  lastName: buildRequiredRule(messages.SEARCH_LAST_NAME_REQUIRED),
  firstName: buildRequiredRule(messages.SEARCH_FIRST_NAME_REQUIRED),
  birthDate: buildRequiredRule(messages.BIRTH_DATE_REQUIRED).refine(isIsoDate, {
    message: messages.BIRTH_DATE_OUT_OF_RANGE,
  }),
  code: buildRequiredRule(messages.SIGN_UP_CODE_REQUIRED),
  email: buildRequiredRule(messages.EMAIL_REQUIRED).refine(isEmail, {
    message: messages.EMAIL_INVALID,
  }),
});

const blank = { lastName: '', firstName: '', birthDate: '', code: '', email: '' };

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** The message for a sign-up that failed (P 8). */
function explainFailure(error: unknown): string {
  if (isStatus(error, 404)) return messages.SIGN_UP_UNMATCHED;
  if (isStatus(error, 409)) return messages.USER_EMAIL_IN_USE;
  if (isStatus(error, 400) && error instanceof ApiError) return error.detail;
  return explainEntryFailure(error);
}

/** Self registration of a patient, whose record must match (P 2). */
export default function PatientSignUp() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const { control, handleSubmit, setFocus } = useForm({
    resolver: zodResolver(schema),
    defaultValues: blank,
    mode: 'onTouched',
  });
  useEffect(() => setFocus('lastName'), [setFocus]);
  const signUpWrite = useWrite({
    send: signUpPatient,
    onDone: () => {
      toasts.success(messages.USER_NOTIFIED);
      void navigate(paths.login);
    },
    explain: (error) => {
      setFailure(explainFailure(error));
      setFocus(isStatus(error, 409) ? 'email' : 'lastName');
      return true;
    },
  });
  const submit = handleSubmit((values) => {
    if (signUpWrite.isRunning) return;
    setFailure(null);
    signUpWrite.run(values);
  });
  return (
    <EntryPage
      showsTitle
      title="Patient Sign Up"
      prompt={messages.SIGN_UP_TIPS}
      onSubmit={() => submit()}
    >
      <EntryFailure text={failure} />
      <Bound control={control} name="lastName">
        {(field) => (
          <TextField
            {...field}
            label="Last Name"
            required
            upper
            autoComplete="family-name"
            maxLength={limits.USER_NAME_MAX}
          />
        )}
      </Bound>
      <Bound control={control} name="firstName">
        {(field) => (
          <TextField
            {...field}
            label="First Name"
            required
            upper
            autoComplete="given-name"
            maxLength={limits.USER_NAME_MAX}
          />
        )}
      </Bound>
      <Bound control={control} name="birthDate">
        {(field) => (
          <DateField
            {...field}
            label="Birth Date"
            required
            min={limits.EARLIEST_BIRTH_DATE}
            max={getToday()}
          />
        )}
      </Bound>
      <Bound control={control} name="code">
        {(field) => <TextField {...field} label="Lab Patient ID" required upper />}
      </Bound>
      <Bound control={control} name="email">
        {(field) => (
          <TextField
            {...field}
            label="Email"
            type="email"
            required
            autoComplete="email"
            maxLength={limits.USER_EMAIL_MAX}
          />
        )}
      </Bound>
      <EntrySubmit label="Sign Up" isRunning={signUpWrite.isRunning} />
      <div className={styles['links']}>
        <Link to={paths.login}>Go Back</Link>
      </div>
    </EntryPage>
  );
}
