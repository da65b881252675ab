import { Button, Checkbox } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { useSession } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { useWrite } from '../../../components/useWrite';
import { messages, say } from '../../../contract';
import { useLab } from '../../settings/api';
import { acceptDocuments, useStoreLegal, type Legal } from '../api';
import { privacyNotice } from '../privacyNotice';
import { terms } from '../terms';
import { LegalText } from './LegalText';
import styles from './legal.module.css';

const TEXTS = { privacy: privacyNotice, terms };

/** The step after sign-in that shows new or changed documents, until they are accepted (ADR 64). */
export default function AcceptanceStep({ legal }: { legal: Legal }) {
  const session = useSession();
  const store = useStoreLegal();
  const lab = useLab();
  const [isChecked, setIsChecked] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const dueDocuments = legal.documents.filter(({ acceptedAt }) => acceptedAt === null);
  const acceptWrite = useWrite({
    send: (
      documents: { document: Legal['documents'][number]['document']; version: string }[],
      key,
    ) => acceptDocuments({ documents }, key),
    onDone: store,
  });
  return (
    <main className={styles['step']}>
      <h1 ref={heading} tabIndex={-1}>
        {messages.LEGAL_STEP_TITLE}
      </h1>
      <p>{say(messages.LEGAL_STEP_TEXT, { lab: lab?.name ?? 'the laboratory' })}</p>
      {/* A scrolling text must be within reach of the keyboard. */}
      <div className={styles['scroll']} role="region" aria-label="Documents" tabIndex={0}>
        {dueDocuments.map(({ document }) => (
          <section key={document} aria-label={TEXTS[document].title}>
            <h2>{TEXTS[document].title}</h2>
            <LegalText document={TEXTS[document]} />
          </section>
        ))}
      </div>
      <div className={styles['bar']}>
        <Checkbox
          label={messages.LEGAL_STEP_CHECK}
          checked={isChecked}
          onChange={({ currentTarget }) => setIsChecked(currentTarget.checked)}
        />
        <Button variant="minimal" onClick={() => void session.signOut('left')}>
          Logout
        </Button>
        <ActButton
          intent="primary"
          disabled={!isChecked}
          isRunning={acceptWrite.isRunning}
          onClick={() =>
            // The text on screen is what is accepted; the portal rejects an older version of it.
            acceptWrite.run(
              dueDocuments.map(({ document }) => ({ document, version: TEXTS[document].version })),
            )
          }
        >
          Continue
        </ActButton>
      </div>
    </main>
  );
}
