import { Button, Callout } from '@blueprintjs/core';

import { useScreen } from '../../../../components/useMedia';
import { formatInstant } from '../../../../lib/instants';
import { messages, say } from '../../../../contract';
import type { DraftEdits } from '../../draftEdits';
import type { Draft } from '../../drafts';
import { fieldOptions } from '../../form';
import styles from './form.module.css';
import type { OfferedDraft } from './useDraft';

interface DraftOfferProps {
  offer: OfferedDraft;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Describes each edit of a draft: `Diagnoses: added I10`. */
const describeEdits = ({ names, values, savedValues }: DraftEdits): string =>
  names
    .map((name) => {
      const edit = fieldOptions.describeEdit(name, values, savedValues);
      return `${fieldOptions.getLabel(name)}: ${edit}`;
    })
    .join('. ');

function summarizeNew({ patient, tests }: Draft['values']): string {
  return [
    patient && `${patient.lastName}, ${patient.firstName}`,
    tests.length > 0 && tests.map(({ test }) => test.name).join(', '),
  ]
    .filter(Boolean)
    .join(': ');
}

/**
 * Offers an unsaved draft, which stays unchanged until the user decides. The offer may arrive late,
 * so it lies over the end of the screen and moves no field.
 */
export function DraftOffer({ offer, onRestore, onDiscard }: DraftOfferProps) {
  const { draft, edits, isOlder } = offer;
  const isHandheld = useScreen() !== 'desktop';
  const summary = edits === null ? summarizeNew(draft.values) : describeEdits(edits);
  return (
    <div className={styles['offer']} data-beside-menu={isHandheld} role="status">
      <Callout icon={false} intent="primary" compact>
        <span>
          {say(isOlder ? messages.DRAFT_FOUND_OLDER : messages.DRAFT_FOUND, {
            when: formatInstant(draft.savedAt),
          })}
          {summary && ` ${summary}`}
        </span>
        <Button size="small" intent="primary" onClick={onRestore}>
          Continue with it
        </Button>
        <Button size="small" variant="minimal" onClick={onDiscard}>
          Discard
        </Button>
      </Callout>
    </div>
  );
}
