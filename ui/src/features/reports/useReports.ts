import { useEffect, useRef } from 'react';

import { api, ApiError, buildQuery } from '../../api';
import { toasts } from '../../components/toasts';
import { limits, messages, say, type Wire } from '../../contract';
import { useDevice, type LoadedFile } from '../../device';

/** A report of one or many records. */
export interface Report {
  /** Takes `ids`; `/stream` behind it tells how far it is. */
  path: string;
  /** What is being made: 'Requisitions'. */
  title: string;
  /** The file's name, without patient data. */
  name: string;
}

export const REQUISITION_FORMS: Report = {
  path: '/api/v2/reports/requisition',
  title: 'Requisitions',
  name: 'requisition.pdf',
};

export const REQUISITION_LOG: Report = {
  path: '/api/v2/reports/requisition/log',
  title: 'Requisition log',
  name: 'requisition-log.pdf',
};

type Progress = Wire<'ReportProgress'>;

/** Makes a report and tells how far it is. */
async function make(
  { path }: Report,
  ids: readonly number[],
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<LoadedFile> {
  const parts: string[] = [];
  for await (const { name, data } of api.events(`${path}/stream`, { body: { ids }, signal })) {
    if (name === 'progress') tell(data as Progress);
    if (name === 'part') parts.push((data as { content: string }).content);
    if (name === 'failed') throw new ApiError((data as { status: number }).status, data as object);
    if (name === 'done') {
      // Every part but the last is a multiple of three bytes, so that they join as they are.
      return { ...(data as { name: string; mediaType: string }), base64: parts.join('') };
    }
  }
  throw new Error(messages.REPORT_STOPPED);
}

/** Opens reports: a few records at once, many with progress and a way to stop it. */
export function useReports(): (report: Report, ids: readonly number[]) => Promise<void> {
  const device = useDevice();
  const running = useRef<AbortController>(null);
  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );

  return async (report, ids) => {
    if (ids.length <= limits.REPORT_AT_ONCE_MAX) {
      const path = `${report.path}${buildQuery({ ids })}`;
      await device.openDocument({ path, name: report.name }).catch(toasts.failure);
      return;
    }
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const tell = ({ done, of }: Progress) => {
      if (stop.signal.aborted) return;
      const far = say(messages.REPORT_PROGRESS, { done: String(done), of: String(of) });
      toasts.progress(report.path, {
        message: `${report.title}: ${far}`,
        value: done / of,
        onCancel: () => stop.abort(),
      });
    };
    tell({ done: 0, of: ids.length });
    try {
      await device.openFile(await make(report, ids, tell, stop.signal));
    } catch (error) {
      if (!stop.signal.aborted) {
        if (error instanceof ApiError) toasts.failure(error);
        else toasts.error(messages.REPORT_STOPPED);
      }
    } finally {
      toasts.close(report.path);
    }
  };
}
