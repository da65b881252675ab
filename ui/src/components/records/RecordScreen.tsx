import { Button, NonIdealState } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import { messages } from '../../contract';
import { ChevronLeftIcon, WarningSignIcon } from '../icons';
import { PageToolbar } from '../PageToolbar';
import { useBack } from '../useBack';
import { Loaded, type Reading } from './Loaded';

interface RecordScreenProps<Data> {
  /** The page's title while there is no record to name it after. */
  title: string;
  /** The record of the address; null when the address names none. */
  reading: Reading<Data> | null;
  /** Where the way back leads from the first page of a window. */
  start?: string;
  children: (record: Data) => ReactNode;
}

/**
 * The screen of one record: it waits for it, says what went wrong and offers another try, and leads
 * back from one that is not there. A record that is shown stays, whatever a later read says.
 */
export function RecordScreen<Data>({ title, reading, start, children }: RecordScreenProps<Data>) {
  const back = useBack(start);
  if (reading?.data !== undefined) return children(reading.data);
  const way = (
    <Button icon={<ChevronLeftIcon />} onClick={back}>
      Back
    </Button>
  );
  return (
    <>
      <PageToolbar title={title} />
      {reading === null ? (
        <div role="alert">
          <NonIdealState
            icon={<WarningSignIcon size={32} />}
            title={messages.NOT_FOUND}
            action={way}
          />
        </div>
      ) : (
        <Loaded reading={reading} way={way}>
          {children}
        </Loaded>
      )}
    </>
  );
}
