import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../contract';
import { buildEventStream, buildProblem, type Answers } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { REQUISITION_LOG, useReports } from './useReports';

const STREAM = 'POST /api/v2/reports/requisition/log/stream';
const manyIds = Array.from({ length: 30 }, (_, index) => index + 1);
const doneEvent = {
  name: 'done',
  data: { name: 'requisition-log.pdf', mediaType: 'application/pdf' },
};

function PrintButton({ ids }: { ids: readonly number[] }) {
  const open = useReports();
  return (
    <button type="button" onClick={() => void open(REQUISITION_LOG, ids)}>
      Print Log
    </button>
  );
}

async function pressPrint(ids: readonly number[], answers: Answers = {}) {
  const view = await renderPortal(<PrintButton ids={ids} />, { answers });
  await view.user.click(screen.getByRole('button', { name: 'Print Log' }));
  return view;
}

describe('A report', () => {
  it('of few records is one document', async () => {
    const { device } = await pressPrint([3, 4]);
    expect(device.documents).toEqual([
      { path: '/api/v2/reports/requisition/log?ids=3&ids=4', name: 'requisition-log.pdf' },
    ]);
  });

  it('of many records shows progress and then opens', async () => {
    let respond: (response: Response) => void = () => undefined;
    const encoder = new TextEncoder();
    let push: (text: string) => void = () => undefined;
    const body = new ReadableStream({
      start: (controller) => {
        push = (text) => controller.enqueue(encoder.encode(text));
      },
    });
    const { device, requests } = await pressPrint(manyIds, {
      [STREAM]: () => new Promise<Response>((resolve) => (respond = resolve)),
    });
    await waitFor(() =>
      expect(requests.at(-1)?.path).toBe('/api/v2/reports/requisition/log/stream'),
    );
    respond(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
    push('event: progress\ndata: {"done": 25, "of": 30}\n\nevent: pa');
    expect(await screen.findByText('Requisition log: 25 of 30 ready')).toBeVisible();
    push('rt\ndata: {"content": "JVBE"}\n\nevent: part\ndata: {"content": "Ri0x"}\n\n');
    push(`event: done\ndata: ${JSON.stringify(doneEvent.data)}\n\n`);
    await waitFor(() => expect(device.files).toEqual([{ ...doneEvent.data, base64: 'JVBERi0x' }]));
    await waitFor(() => expect(screen.queryByText(/ of 30 ready/)).toBeNull());
    expect(requests.at(-1)?.body).toEqual({ ids: manyIds });
  });

  it('can be canceled', async () => {
    const { user, device } = await pressPrint(manyIds, {
      [STREAM]: () => new Promise(() => undefined),
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(device.files).toEqual([]);
    expect(screen.queryByText(messages.REPORT_STOPPED)).toBeNull();
  });

  it('that breaks off says so and opens nothing', async () => {
    const { device } = await pressPrint(manyIds, {
      [STREAM]: buildEventStream([{ name: 'progress', data: { done: 25, of: 30 } }]),
    });
    expect(await screen.findByText(messages.REPORT_STOPPED)).toBeVisible();
    expect(device.files).toEqual([]);
  });

  it('that fails shows why', async () => {
    await pressPrint(manyIds, { [STREAM]: buildProblem(404, 'not_found', messages.NOT_FOUND) });
    expect(await screen.findByText(messages.NOT_FOUND)).toBeVisible();
  });
});
