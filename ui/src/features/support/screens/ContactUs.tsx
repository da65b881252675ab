import { useState } from 'react';

import { useProfile } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { TextAreaField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { PageToolbar } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { limits, messages } from '../../../contract';
import { writeToLab } from '../api';
import { MyRequests } from '../components/MyRequests';
import styles from '../components/support.module.css';
import { WriterFields } from '../components/WriterFields';
import { contactSchema, fillWriter, toContact } from '../form';
import { useSupportForm } from '../useSupportForm';

const LABELS = {
  lastName: 'Last name',
  firstName: 'First name',
  email: 'Email',
  phone: 'Phone',
};

/** Contact Us: a message to the lab by e-mail (P 2). */
export default function ContactUs() {
  const profile = useProfile();
  const [defaults] = useState(() => fillWriter(profile));
  const { form, submit, isValid, isSending, guard } = useSupportForm({
    schema: contactSchema,
    defaults,
    toBody: toContact,
    send: writeToLab,
    failure: messages.CONTACT_FAILED,
    notConfigured: messages.CONTACT_NOT_CONFIGURED,
  });
  return (
    <>
      <PageToolbar title="Contact Us" />
      <div className={styles['screen']}>
        <Panel title="Write to the lab">
          <form
            aria-label="Contact Us"
            className={styles['form']}
            style={{ maxWidth: limits.CONTACT_BLOCK_WIDTH_PX }}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (isValid && !isSending) submit();
            }}
          >
            {guard}
            <WriterFields control={form.control} labels={LABELS} />
            <Bound control={form.control} name="message">
              {({ inputRef: _, ...field }) => (
                <TextAreaField
                  {...field}
                  className={styles['message']}
                  label="Message"
                  required
                  rows={8}
                  maxLength={limits.SUPPORT_MESSAGE_MAX}
                />
              )}
            </Bound>
            <div className={styles['buttons']}>
              <ActButton type="submit" intent="primary" disabled={!isValid} isRunning={isSending}>
                Send
              </ActButton>
            </div>
          </form>
        </Panel>
        <MyRequests />
      </div>
    </>
  );
}
