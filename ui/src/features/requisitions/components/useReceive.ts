import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

import { newIdempotencyKey } from '../../../api';
import { receiveRequisitions } from '../api';

type What = { ids: number[] } | { code: string };
type Received = Awaited<ReturnType<typeof receiveRequisitions>>;

/** Marks specimens received; the same rows or code tried again after a failure is one action. */
export function useReceive(onReceived: (received: Received) => void) {
  const action = useRef<{ what: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (what: What) => {
      const name = JSON.stringify(what);
      if (action.current?.what !== name) action.current = { what: name, key: newIdempotencyKey() };
      return receiveRequisitions(what, action.current.key);
    },
    onSuccess: (received) => {
      action.current = null;
      onReceived(received);
    },
  });
}
