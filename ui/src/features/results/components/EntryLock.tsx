import { Callout } from '@blueprintjs/core';

import { messages, ResultStatus, say } from '../../../contract';
import type { EntryHeader } from '../api';

/** A test on an entry screen that shows one test at a time. */
interface EntryTest {
  name: string;
  status: number;
  awaitsCollection: boolean;
  predatesSpecimen: boolean;
}

export const isTestCanceled = (test: { status: number } | undefined): boolean =>
  test?.status === ResultStatus.CANCELED;

/** Why results of the order, or of this test of it, cannot be entered, if the portal says so. */
export function explainEntryLock(order: EntryHeader, test?: EntryTest): string | undefined {
  if (order.canEnterResults.reason) return order.canEnterResults.reason;
  return test && isTestCanceled(test)
    ? say(messages.RESULT_TEST_CANCELED, { test: test.name })
    : undefined;
}

/**
 * What keeps results from being entered: a lock, or a specimen that must be collected again; and
 * whether what is entered is from before the specimen was received.
 */
export function EntryLock({ order, test }: { order: EntryHeader; test?: EntryTest | undefined }) {
  const reason = explainEntryLock(order, test);
  return (
    <>
      {reason === undefined ? null : (
        <Callout intent="warning" compact>
          {reason}
        </Callout>
      )}
      {test?.awaitsCollection ? (
        <Callout intent="warning" compact>
          {messages.SPECIMEN_NEEDED}
        </Callout>
      ) : null}
      {test?.predatesSpecimen ? (
        <Callout intent="warning" compact>
          {messages.RESULT_BEFORE_SPECIMEN}
        </Callout>
      ) : null}
    </>
  );
}
