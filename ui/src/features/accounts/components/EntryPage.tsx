import { Callout } from '@blueprintjs/core';
import { useEffect, type ReactNode } from 'react';

import { useCapabilities } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { WarningSignIcon } from '../../../components/icons';
import { OfflineNotice } from '../../../components/OfflineNotice';
import { useScreen } from '../../../components/useMedia';
import { DEFAULT_PORTAL_NAME, showPortalName, showScreenTitle } from '../../../lib/pageTitle';
import styles from './EntryPage.module.css';

interface EntryPageProps {
  /** What the page is for; the browser's tab shows it. */
  title: string;
  /** Whether the page shows its title, too. */
  showsTitle?: boolean;
  prompt: string;
  onSubmit: () => unknown;
  children: ReactNode;
}

/** The message about a failed submit. */
export const EntryFailure = ({ text }: { text: string | null }) => (
  <div role="alert" className={styles['summary']}>
    {text === null ? null : (
      <Callout intent="danger" icon={<WarningSignIcon />}>
        {text}
      </Callout>
    )}
  </div>
);

interface EntrySubmitProps {
  label: string;
  isRunning: boolean;
}

/** The button that submits the form. */
export const EntrySubmit = ({ label, isRunning }: EntrySubmitProps) => (
  <ActButton
    type="submit"
    intent="primary"
    size="large"
    fill
    isRunning={isRunning}
    className={styles['submit']}
  >
    {label}
  </ActButton>
);

/** A form for people who are not signed in, with the lab's logo and name above it. */
export function EntryPage({
  title,
  showsTitle = false,
  prompt,
  onSubmit,
  children,
}: EntryPageProps) {
  const { lab } = useCapabilities();
  const isPhone = useScreen() === 'phone';
  const name = lab?.title ?? lab?.name ?? DEFAULT_PORTAL_NAME;
  useEffect(() => {
    showScreenTitle(title);
    showPortalName(name);
  }, [title, name]);
  return (
    <main className={styles['page']}>
      <form
        className={styles['card']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <div className={styles['brand']}>
          <img src={lab?.logo ?? '/favicon.svg'} alt="" height={48} />
          <h1>{name}</h1>
        </div>
        {showsTitle ? <h2 className={styles['title']}>{title}</h2> : null}
        <p className={styles['prompt']}>{prompt}</p>
        <OfflineNotice />
        {children}
      </form>
      {isPhone ? null : (
        <p className={styles['contact']}>
          {[lab?.name, lab?.address, lab?.phone].filter(Boolean).join('  ·  ')}
        </p>
      )}
    </main>
  );
}
