import { Button, NonIdealState, Spinner } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ApiError, describe } from '../../api';
import { RefreshIcon, WarningSignIcon } from '../icons';

/** How it stands with reading a record. */
export interface Reading<Data> {
  /** Absent until it was read. */
  data: Data | undefined;
  /** Why it could not be read. */
  error: unknown;
  readAgain: () => void;
}

/**
 * The reading of a query's result. It looks at all of it at once: a result that is only looked at
 * when a dialog has opened has missed what happened before.
 */
export const readingOf = <Data,>({
  data,
  error,
  refetch,
}: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>): Reading<Data> => ({
  data,
  error,
  readAgain: () => void refetch(),
});

/** Of a form that begins blank and waits for nothing. */
export const nothingToRead: Reading<null> = { data: null, error: null, readAgain: () => undefined };

const NOT_FOUND = 404;

interface FailureProps {
  reading: Reading<unknown>;
  /** Words of one's own for a failure. */
  explain: (error: unknown) => string;
  /** A way out, beside trying again. */
  way?: ReactNode;
}

/** Says why a record could not be read. One that is not there is not asked for again. */
function ReadFailure({ reading, explain, way }: FailureProps) {
  const { error, readAgain } = reading;
  const isGone = error instanceof ApiError && error.status === NOT_FOUND;
  return (
    <div role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={32} />}
        title={explain(error)}
        action={
          <div className="failure-actions">
            {isGone ? null : (
              <Button icon={<RefreshIcon />} onClick={readAgain}>
                Try again
              </Button>
            )}
            {way}
          </div>
        }
      />
    </div>
  );
}

interface LoadedProps<Data> {
  reading: Reading<Data>;
  explain?: (error: unknown) => string;
  way?: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Draws what was read; before that a spinner, or why it could not be read, with another try. A read
 * that fails while there is something to show already takes nothing away.
 */
export function Loaded<Data>({ reading, explain = describe, way, children }: LoadedProps<Data>) {
  if (reading.data !== undefined) return children(reading.data);
  if (reading.error !== null) return <ReadFailure reading={reading} explain={explain} way={way} />;
  return <Spinner className="screen-loading" aria-label="Loading" />;
}
