import { Button, NonIdealState } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import { messages } from '../../contract';
import { ChevronLeftIcon, WarningSignIcon } from '../icons';
import { PageToolbar } from '../PageToolbar';
import { useBack } from '../useBack';
import { Loaded, type LoadState } from './Loaded';

interface RecordScreenProps<Data> {
  /** The page's title until the record is loaded. */
  title: string;
  /** The state of the record; null if the address names none. */
  loadState: LoadState<Data> | null;
  /** Where Back leads from the first page of a window. */
  start?: string;
  children: (record: Data) => ReactNode;
}

/**
 * The screen of one record: a spinner, then the record or the failure with a retry; Back leads away
 * from a missing record. A record on screen stays, whatever a later request returns.
 */
export function RecordScreen<Data>({ title, loadState, start, children }: RecordScreenProps<Data>) {
  const back = useBack(start);
  if (loadState?.data !== undefined) return children(loadState.data);
  const exitAction = (
    <Button icon={<ChevronLeftIcon />} onClick={back}>
      Back
    </Button>
  );
  return (
    <>
      <PageToolbar title={title} />
      {loadState === null ? (
        <div role="alert">
          <NonIdealState
            icon={<WarningSignIcon size={32} />}
            title={messages.NOT_FOUND}
            action={exitAction}
          />
        </div>
      ) : (
        <Loaded loadState={loadState} exitAction={exitAction}>
          {children}
        </Loaded>
      )}
    </>
  );
}
