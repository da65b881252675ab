import { Button, Callout } from '@blueprintjs/core';

import { formatInstant } from '../../../../lib/instants';
import { messages, say } from '../../../../contract';
import type { Draft } from '../../drafts';
import styles from './form.module.css';

interface DraftOfferProps {
  draft: Draft;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Offers an unsaved draft. The draft stays unchanged until the user decides. */
export function DraftOffer({ draft, onRestore, onDiscard }: DraftOfferProps) {
  const { patient, tests } = draft.values;
  const summary = [
    patient && `${patient.lastName}, ${patient.firstName}`,
    tests.length > 0 && tests.map(({ test }) => test.name).join(', '),
  ].filter(Boolean);
  return (
    <Callout className={styles['wide']} icon={false} intent="primary" compact role="status">
      <div className={styles['offer']}>
        <span>
          {say(messages.DRAFT_FOUND, { when: formatInstant(draft.savedAt) })}
          {summary.length > 0 ? ` ${summary.join(': ')}` : ''}
        </span>
        <Button size="small" intent="primary" onClick={onRestore}>
          Continue with it
        </Button>
        <Button size="small" variant="minimal" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Callout>
  );
}
