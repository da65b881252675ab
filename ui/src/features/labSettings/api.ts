import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { SaveContext } from '../../components/forms/recordForm';
import type { Wire } from '../../contract';
import { refreshLab } from '../settings/api';
import type { LabSettings } from './form';

const PATH = '/api/system/lab-settings';

export const labSettingsQuery = queryOptions({
  queryKey: ['lab-settings'],
  queryFn: ({ signal }) => api.get<LabSettings>(PATH, { signal }),
  meta: { quiet: true },
});

export const saveLabSettings = (
  body: Wire<'LabSettingsWrite'>,
  { idempotencyKey, version }: SaveContext,
): Promise<LabSettings> => api.put(PATH, { body, idempotencyKey, version });

export const sendingQuery = queryOptions({
  queryKey: ['lab-settings', 'sending'],
  queryFn: ({ signal }) => api.get<Wire<'SendingRead'>>(`${PATH}/sending`, { signal }),
  meta: { quiet: true },
});

export const historyQuery = queryOptions({
  queryKey: ['lab-settings', 'history'],
  queryFn: ({ signal }) => api.get<Wire<'LabSettingsChange'>[]>(`${PATH}/history`, { signal }),
  meta: { quiet: true },
});

export const sendTest = (
  body: Wire<'TestSending'>,
  idempotencyKey: string,
): Promise<Wire<'TestSent'>> => api.post(`${PATH}/test-sending`, { body, idempotencyKey });

/** Reloads what screens show of the settings. */
export function refreshSettings(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: labSettingsQuery.queryKey });
  refreshLab(queries);
}
