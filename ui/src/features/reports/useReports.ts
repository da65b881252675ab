import { useEffect, useRef } from 'react';

import { api, ApiError, buildQuery } from '../../api';
import { toasts } from '../../components/toasts';
import { limits, messages, say, type Wire } from '../../contract';
import { useDevice, type LoadedFile } from '../../device';

/** A report of one or more records. */
export interface Report {
  /** The path of a call with `ids`; with `/stream` at its end, the call also reports progress. */
  path: string;
  /** The name of the document in preparation: 'Requisitions'. */
  title: string;
  /** The file name; contains no patient data. */
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

export const ORDER_RESULTS: Report = {
  path: '/api/v2/reports/order/results',
  title: 'Results',
  name: 'results.pdf',
};

export const ORDER_LOG: Report = {
  path: '/api/v2/reports/order/log',
  title: 'Order log',
  name: 'order-log.pdf',
};

type Progress = Wire<'ReportProgress'>;

/** Creates a report and reports its progress. */
async function createReport(
  { path }: Report,
  ids: readonly number[],
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<LoadedFile> {
  const parts: string[] = [];
  for await (const { name, data } of api.events(`${path}/stream`, { body: { ids }, signal })) {
    if (name === 'progress') onProgress(data as Progress);
    if (name === 'part') parts.push((data as { content: string }).content);
    if (name === 'failed') throw new ApiError((data as { status: number }).status, data as object);
    if (name === 'done') {
      // Every part but the last is a multiple of three bytes, so base64 parts can simply be joined.
      return { ...(data as { name: string; mediaType: string }), base64: parts.join('') };
    }
  }
  throw new Error(messages.REPORT_STOPPED);
}

/**
 * Returns a function that opens reports: of few records at once, of many with progress and Cancel.
 */
export function useReports(): (report: Report, ids: readonly number[]) => Promise<void> {
  const device = useDevice();
  const activeRequest = useRef<AbortController>(null);
  useEffect(
    () => () => {
      activeRequest.current?.abort();
    },
    [],
  );

  return async (report, ids) => {
    if (ids.length <= limits.REPORT_WITHOUT_PROGRESS_MAX) {
      const path = `${report.path}${buildQuery({ ids })}`;
      await device.openDocument({ path, name: report.name }).catch(toasts.failure);
      return;
    }
    activeRequest.current?.abort();
    const abort = new AbortController();
    activeRequest.current = abort;
    const showProgress = ({ done, of }: Progress) => {
      if (abort.signal.aborted) return;
      const progressText = say(messages.REPORT_PROGRESS, { done: String(done), of: String(of) });
      toasts.progress(report.path, {
        message: `${report.title}: ${progressText}`,
        value: done / of,
        onCancel: () => abort.abort(),
      });
    };
    showProgress({ done: 0, of: ids.length });
    try {
      await device.openFile(await createReport(report, ids, showProgress, abort.signal));
    } catch (error) {
      if (!abort.signal.aborted) {
        if (error instanceof ApiError) toasts.failure(error);
        else toasts.error(messages.REPORT_STOPPED);
      }
    } finally {
      toasts.close(report.path);
    }
  };
}
