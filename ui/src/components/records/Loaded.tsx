import { Button, NonIdealState, Spinner } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { describeError, isGone } from '../../api';
import { RefreshIcon, WarningSignIcon } from '../icons';

/** The state of loading a record. */
export interface LoadState<Data> {
  /** Undefined until it is loaded. */
  data: Data | undefined;
  /** The error that loading ended with; null if there was none. */
  error: unknown;
  reload: () => void;
}

/**
 * Converts a query result. Reads all properties at once, because the query reports only changes of
 * properties that were read: a dialog that opens later would show outdated values.
 */
export const toLoadState = <Data,>({
  data,
  error,
  refetch,
}: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>): LoadState<Data> => ({
  data,
  error,
  reload: () => void refetch(),
});

/**
 * Converts a query result of a screen that follows changes. A record that the user no longer sees,
 * because it has another physician or client now, does not stay on screen.
 */
export const toLiveLoadState = <Data,>(
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>,
): LoadState<Data> => {
  const loadState = toLoadState(query);
  return isGone(loadState.error) ? { ...loadState, data: undefined } : loadState;
};

/** The state of a blank form, which loads nothing. */
export const blankLoadState: LoadState<null> = { data: null, error: null, reload: () => undefined };

interface FailureProps {
  loadState: LoadState<unknown>;
  /** Returns the message for a failure. */
  explain: (error: unknown) => string;
  /** A button next to Try again, such as one that leaves the screen. */
  exitAction?: ReactNode;
}

/** Explains why a record could not be loaded. A missing record offers no retry. */
function LoadFailure({ loadState, explain, exitAction }: FailureProps) {
  const { error, reload } = loadState;
  return (
    <div role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={32} />}
        title={explain(error)}
        action={
          <div className="failure-actions">
            {isGone(error) ? null : (
              <Button icon={<RefreshIcon />} onClick={reload}>
                Try again
              </Button>
            )}
            {exitAction}
          </div>
        }
      />
    </div>
  );
}

interface LoadedProps<Data> {
  loadState: LoadState<Data>;
  explain?: (error: unknown) => string;
  exitAction?: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Renders loaded data. Before that it shows a spinner, or the failure with a retry. A later failure
 * keeps the data on screen.
 */
export function Loaded<Data>({
  loadState,
  explain = describeError,
  exitAction,
  children,
}: LoadedProps<Data>) {
  if (loadState.data !== undefined) return children(loadState.data);
  if (loadState.error !== null)
    return <LoadFailure loadState={loadState} explain={explain} exitAction={exitAction} />;
  return <Spinner className="screen-loading" aria-label="Loading" />;
}
