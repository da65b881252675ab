import { Button, Callout } from '@blueprintjs/core';

import { formatInstant } from '../../../../lib/instants';
import { messages, say } from '../../../../contract';
import { listChangedFields } from '../../../../lib/merge';
import type { Draft } from '../../drafts';
import type { RequisitionValues } from '../../fields';
import { fieldOptions } from '../../form';
import styles from './form.module.css';

interface DraftOfferProps {
  draft: Draft;
  /** Whether the requisition has not been saved yet. */
  isNew: boolean;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Describes each edit of a draft: `Diagnoses: added I10`. */
function describeEdits({ values, base }: Draft): string {
  const names = listChangedFields<object>(base, values) as (keyof RequisitionValues)[];
  return names
    .map((name) => {
      const label = fieldOptions.getLabel(name);
      // Drafts of older forms lack the original value of some fields.
      if (!(name in base)) return label;
      const edit = fieldOptions.describeEdit(
        name,
        values as RequisitionValues,
        base as RequisitionValues,
      );
      return `${label}: ${edit}`;
    })
    .join('. ');
}

function summarizeNew({ patient, tests }: Draft['values']): string {
  return [
    patient && `${patient.lastName}, ${patient.firstName}`,
    tests.length > 0 && tests.map(({ test }) => test.name).join(', '),
  ]
    .filter(Boolean)
    .join(': ');
}

/** Offers an unsaved draft. The draft stays unchanged until the user decides. */
export function DraftOffer({ draft, isNew, onRestore, onDiscard }: DraftOfferProps) {
  const summary = isNew ? summarizeNew(draft.values) : describeEdits(draft);
  return (
    <Callout className={styles['wide']} icon={false} intent="primary" compact role="status">
      <div className={styles['offer']}>
        <span>
          {say(messages.DRAFT_FOUND, { when: formatInstant(draft.savedAt) })}
          {summary && ` ${summary}`}
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
