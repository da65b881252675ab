import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useProfile } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Panel } from '../../../components/Panel';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, say, type Wire } from '../../../contract';
import { isEmail } from '../../../lib/email';
import { applyMask, masks, PHONE_DIGITS } from '../../../lib/mask';
import { sendingQuery, sendTest } from '../api';
import styles from './labSettings.module.css';

/** How the lab sends e-mails and faxes, with a test of both. */
export function SendingPanel({ mayTest }: { mayTest: boolean }) {
  const { email } = useProfile();
  const sending = useQuery(sendingQuery).data;
  const [address, setAddress] = useState(email);
  const [number, setNumber] = useState('');
  const testWrite = useWrite({
    send: (body: Wire<'TestSending'>, key) => sendTest(body, key),
    onDone: ({ isSent, trouble }, { value }) => {
      if (isSent) toasts.success(say(messages.TEST_SENT, { destination: value }));
      else toasts.error(say(messages.TEST_NOT_SENT, { trouble: trouble ?? '' }));
    },
  });
  if (sending === undefined) return null;
  return (
    <Panel title="Mail and fax">
      <dl className={styles['facts']}>
        <dt>Mail server</dt>
        <dd>{sending.mailServer ?? 'not set up'}</dd>
        <dt>Sender</dt>
        <dd>{sending.emailFrom ?? 'not set up'}</dd>
        <dt>Fax</dt>
        <dd>{sending.fax ?? 'not set up'}</dd>
      </dl>
      <span className="quiet">{messages.SENDING_HINT}</span>
      {mayTest && sending.mailServer !== null ? (
        <div className={styles['test']}>
          <TextField label="Test E-mail to" type="email" value={address} onChange={setAddress} />
          <ActButton
            variant="outlined"
            disabled={!isEmail(address.trim())}
            reason={messages.EMAIL_INVALID}
            isRunning={testWrite.isRunning}
            onClick={() => testWrite.run({ type: 'email', value: address.trim() })}
          >
            Send a Test E-mail
          </ActButton>
        </div>
      ) : null}
      {mayTest && sending.fax !== null ? (
        <div className={styles['test']}>
          <MaskedField label="Test Fax to" mask={masks.phone} value={number} onChange={setNumber} />
          <ActButton
            variant="outlined"
            disabled={number.length !== PHONE_DIGITS}
            reason={messages.FAX_INVALID}
            isRunning={testWrite.isRunning}
            onClick={() => testWrite.run({ type: 'fax', value: applyMask(number, masks.phone) })}
          >
            Send a Test Fax
          </ActButton>
        </div>
      ) : null}
    </Panel>
  );
}
