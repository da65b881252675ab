import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path } from 'react-hook-form';
import type { z } from 'zod';

import { ApiError, describeError } from '../../api';
import { useUnsavedGuard } from '../../components/forms/useUnsavedGuard';
import { toasts } from '../../components/toasts';
import { useWrite } from '../../components/useWrite';
import { messages } from '../../contract';
import { reloadOwnRequests } from './api';

const BAD_INPUT = 400;
const NOT_CONFIGURED = 424;
/** Statuses whose own messages explain what to do. `useWrite` shows those. */
const SELF_EXPLANATORY: readonly number[] = [403, 429];

interface SupportFormOptions<Values extends FieldValues, Body> {
  schema: z.ZodType<Values, Values>;
  defaults: Values;
  toBody: (values: Values) => Body;
  send: (body: Body, idempotencyKey: string) => Promise<boolean>;
  /** Shown when the answer is false. */
  failure: string;
  /** Shown when the lab has not configured this. */
  notConfigured: string;
}

/** A form that writes to the lab: it validates, shows messages of P 8, and guards unsaved text. */
export function useSupportForm<Values extends FieldValues, Body>(
  options: SupportFormOptions<Values, Body>,
) {
  const queries = useQueryClient();
  const form = useForm<Values>({
    resolver: zodResolver(options.schema),
    defaultValues: options.defaults as DefaultValues<Values>,
    mode: 'onTouched',
  });
  const { isDirty, isValid } = form.formState;
  const guard = useUnsavedGuard(useCallback(() => isDirty, [isDirty]));
  const showFieldErrors = (error: ApiError): boolean => {
    const fieldErrors = error.errors.filter(({ field }) => field in options.defaults);
    for (const { field, message } of fieldErrors) form.setError(field as Path<Values>, { message });
    return fieldErrors.length > 0;
  };
  const sendWrite = useWrite({
    send: (values: Values, key) => options.send(options.toBody(values), key),
    onDone: (isAccepted) => {
      if (!isAccepted) {
        toasts.error(options.failure);
        return;
      }
      toasts.success(messages.CONTACT_SENT);
      form.reset(options.defaults);
      reloadOwnRequests(queries);
    },
    explain: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (error.status === NOT_CONFIGURED) toasts.error(options.notConfigured);
      else if (error.status === BAD_INPUT)
        toasts.error(showFieldErrors(error) ? messages.VALIDATION_ERROR : describeError(error));
      else if (SELF_EXPLANATORY.includes(error.status)) return false;
      else toasts.error(messages.SERVERS_TROUBLE);
      return true;
    },
  });
  const submit = () => void form.handleSubmit((values) => sendWrite.run(values))();
  return { form, submit, isValid, isSending: sendWrite.isRunning, guard };
}
