import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '../../api';
import { messages, say } from '../../contract';
import type { Printer } from '../../device';
import { FakeBridge } from '../../device/fake';
import { closeDialogByEscape } from '../../test/dialogs';
import { capabilities, renderPortal } from '../../test/render';
import { PrinterAndLabelDialog } from './PrinterAndLabelDialog';
import { PrintLabelDialog } from './PrintLabelDialog';

const sst = { title: 'SST SERUM', image: 'AAAA', zpl: '^XA1^XZ', epl: 'N1' };
const form = { title: 'REQUISITION FORM', image: 'BBBB', zpl: '^XA2^XZ', epl: 'N2' };
const sstFromPortal = { ...sst, requisitionId: 12, key: 'SST SERUM 1', copyNumber: 1 };
const formFromPortal = { ...form, requisitionId: 12, key: 'REQUISITION FORM 1', copyNumber: 1 };
const labels = [sstFromPortal, formFromPortal];
/** Answers with the chosen labels, as the portal does. */
const startPrint = ({ body }: { body: unknown }) => {
  const { job, only } = body as { job: string; only?: { key: string }[] };
  const chosenLabels = labels.filter(({ key }) => only?.some((one) => one.key === key) ?? true);
  return { job, codes: ['R260000012'], labels: chosenLabels };
};
const zebra: Printer = {
  id: 'p1',
  name: 'Front desk',
  kind: 'tcp',
  address: '10.0.0.5:9100',
  language: 'zpl',
  dpi: 203,
  isDefault: true,
  size: '2x1',
  darkness: null,
  speed: null,
  offsetX: 0,
  offsetY: 0,
  changedBy: null,
  changedAt: null,
  changedSettings: [],
};

interface Options {
  canPrintLabels?: boolean;
  printers?: Printer[];
  isSingle?: boolean;
  prints?: unknown[];
  workstation?: string;
  /** Where the lab's desktop app is downloaded. */
  desktopAppUrl?: string | null;
}

async function renderDialog({
  canPrintLabels = true,
  printers = [zebra],
  isSingle = false,
  prints = [],
  workstation = '',
  desktopAppUrl = 'https://downloads.demo.lab/app',
}: Options = {}) {
  const onClose = vi.fn();
  const dialog = isSingle ? (
    <PrinterAndLabelDialog requisitionId={12} onClose={onClose} />
  ) : (
    <PrintLabelDialog ids={[12, 13]} onClose={onClose} />
  );
  const answers = {
    'GET /api/v2/requisitions/labels': labels,
    'GET /api/v2/requisitions/12/label-prints': prints,
    'POST /api/v2/requisitions/label-prints': startPrint,
  };
  const view = await renderPortal(dialog, {
    capabilities: {
      canPrintLabels,
      workstation,
      lab: capabilities.lab && { ...capabilities.lab, desktopAppUrl },
    },
    printers,
    answers,
  });
  return { ...view, onClose };
}

async function clickPrint(user: { click: (element: Element) => Promise<void> }) {
  const button = await screen.findByRole('button', { name: 'Print' });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
}

describe('Print Label', () => {
  it('sends the labels of all requisitions to the chosen printer and says so', async () => {
    const { user, device, requests, onClose } = await renderDialog();
    await clickPrint(user);
    expect(await screen.findByText('Labels sent to Front desk')).toBeVisible();
    const request = requests.find(({ path }) => path.endsWith('/label-prints'));
    expect(request?.body).toMatchObject({ ids: [12, 13], printer: 'Front desk', dpi: '203' });
    const { job: id } = request?.body as { job: string };
    const codes = ['R260000012'];
    expect(device.jobs).toEqual([{ id, printerId: 'p1', copies: 1, labels: [sst, form], codes }]);
    expect(onClose).toHaveBeenCalled();
  });

  it('stays open and names the printer that does not respond', async () => {
    const { user, device, onClose } = await renderDialog();
    const detail = 'Front desk does not answer. Check that it is switched on and connected.';
    device.failure = new ApiError(503, { code: 'printer_unreachable', detail });
    await clickPrint(user);
    expect(await screen.findByText(detail)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('shows why the printers cannot be listed', async () => {
    const printersSpy = vi
      .spyOn(FakeBridge.prototype, 'listPrinters')
      .mockRejectedValue(new ApiError(503, { code: 'spooler', detail: 'The spooler is off.' }));
    await renderDialog();
    expect(await screen.findByText('The spooler is off.')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Printer' })).toBeNull();
    printersSpy.mockRestore();
  });

  it('draws labels for the density and label size of the printer', async () => {
    const printers = [{ ...zebra, dpi: 300, size: '3x1' }];
    const { user, requests, device } = await renderDialog({ printers });
    await clickPrint(user);
    await waitFor(() => expect(device.jobs).toHaveLength(1));
    const request = requests.find(({ path }) => path.endsWith('/label-prints'));
    expect(request?.body).toMatchObject({ dpi: '300', size: '3x1' });
  });

  it('keeps its id until a printer has the job, so that it counts once', async () => {
    const { user, device, requests } = await renderDialog();
    device.failure = new ApiError(503, { code: 'printer_unreachable', detail: 'off' });
    await clickPrint(user);
    await screen.findByText('off');
    device.failure = null;
    await clickPrint(user);
    await waitFor(() => expect(device.jobs).toHaveLength(1));
    const jobs = requests
      .filter(({ path }) => path.endsWith('/label-prints'))
      .map(({ body }) => (body as { job: string }).job);
    expect(jobs).toEqual([device.jobs[0]?.id, device.jobs[0]?.id]);
  });

  it('shows what the printer waits for, and stops', async () => {
    const { user, device, onClose } = await renderDialog();
    device.outcome = { state: 'printing', printed: 1, waitsFor: ['paper-out'] };
    await clickPrint(user);
    expect(await screen.findByText('Front desk: out of labels')).toBeVisible();
    device.outcome = { state: 'printing', printed: 1, waitsFor: [] };
    expect(await screen.findByText('1 of 2 labels')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped after 1 of 2 labels')).toBeVisible();
    expect(onClose).toHaveBeenCalled();
  });

  it('says after a failure which labels were certainly printed, and stays open', async () => {
    const { user, device, onClose } = await renderDialog();
    const error = 'Front desk stopped accepting data. The labels may be incomplete.';
    device.outcome = { state: 'failed', labels: 11, printed: 2, unknown: 1, error };
    await clickPrint(user);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      `${error} Printed: labels 1-2. Not known: label 3. Not printed: labels 4-11.`,
    );
    // The dialog is as high as its content, so that the whole sentence is visible.
    expect(screen.getByRole('dialog', { name: 'Print Label' })).toHaveStyle({ height: '' });
    expect(onClose).not.toHaveBeenCalled();
  });

  it('says that a printer without a known language got images', async () => {
    const { user, device } = await renderDialog();
    device.outcome = { form: 'png' };
    await clickPrint(user);
    const text = say(messages.LABELS_AS_IMAGES, { printer: 'Front desk' });
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('offers label sizes, each with its own printer', async () => {
    const bench = { ...zebra, id: 'p2', name: 'Bench', isDefault: false };
    const wide = { ...bench, id: 'p3', name: 'Wide', size: '3x1' };
    const { user, device } = await renderDialog({ printers: [zebra, bench, wide] });
    const printer = await screen.findByRole('combobox', { name: 'Printer' });
    await user.selectOptions(printer, 'Bench');
    const size = screen.getByRole('combobox', { name: 'Label size' });
    await user.selectOptions(size, '3 x 1 in');
    expect(printer).toHaveDisplayValue('Wide');
    await user.selectOptions(size, '2 x 1 in');
    expect(printer).toHaveDisplayValue('Bench');
    await clickPrint(user);
    await waitFor(() => expect(device.jobs).toMatchObject([{ printerId: 'p2' }]));
  });

  it('names its workstation to the portal', async () => {
    const { user, requests } = await renderDialog({ workstation: 'BENCH-PC-3' });
    await clickPrint(user);
    await waitFor(() =>
      expect(requests.find(({ path }) => path.endsWith('/label-prints'))?.body).toMatchObject({
        printer: 'Front desk',
        workstation: 'BENCH-PC-3',
      }),
    );
  });

  it('sets up a printer if there is none', async () => {
    const { user, device } = await renderDialog({ printers: [] });
    expect(await screen.findByText('No printer is set up on this workstation')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Printers' }));
    const printers = within(await screen.findByRole('dialog', { name: 'Printers' }));
    await user.click(printers.getByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Bench');
    await user.type(dialog.getByRole('textbox', { name: /Address/ }), '10.0.0.9');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByRole('option', { name: 'Bench', hidden: true })).toBeInTheDocument();
    expect(device.available[0]?.address).toBe('10.0.0.9:9100');
    expect(device.preferences.get('printer')).toBe('printer-1');
  });

  it('opens a PDF if there is no printer access, with a note beforehand', async () => {
    const { user, device } = await renderDialog({ canPrintLabels: false });
    expect(screen.getByText(messages.LABELS_AS_PDF)).toBeVisible();
    await clickPrint(user);
    await waitFor(() =>
      expect(device.documents).toEqual([
        { path: '/api/v2/reports/labels?ids=12&ids=13', name: 'labels.pdf' },
      ]),
    );
  });
});

describe('A print whose dialog was closed', () => {
  /** Prints, closes the dialog while the printer works, and returns its device. */
  async function closeWhilePrinting() {
    function Opener() {
      const [isOpen, setIsOpen] = useState(true);
      return isOpen ? <PrintLabelDialog ids={[12]} onClose={() => setIsOpen(false)} /> : null;
    }
    const { user, device } = await renderPortal(<Opener />, {
      capabilities: { canPrintLabels: true },
      printers: [zebra],
      answers: { 'POST /api/v2/requisitions/label-prints': startPrint },
    });
    device.outcome = { state: 'printing', printed: 1 };
    await clickPrint(user);
    await screen.findByText('1 of 2 labels');
    await closeDialogByEscape(user);
    const readPrint = vi.spyOn(device, 'readPrint');
    await waitFor(() => expect(readPrint.mock.calls.length).toBeGreaterThan(1));
    expect(screen.queryByText(/^Labels/)).toBeNull();
    return device;
  }

  it('says at its end that the labels are printed', async () => {
    const device = await closeWhilePrinting();
    device.outcome = { state: 'confirmed' };
    expect(await screen.findByText('Labels printed on Front desk')).toBeVisible();
  });

  it('says that it failed, and which labels were certainly printed', async () => {
    const device = await closeWhilePrinting();
    const error = 'Front desk stopped printing: out of labels.';
    device.outcome = { state: 'failed', labels: 11, printed: 2, unknown: 1, error };
    const text = `${error} Printed: labels 1-2. Not known: label 3. Not printed: labels 4-11.`;
    expect(await screen.findByText(text)).toBeVisible();
  });
});

describe('The print client', () => {
  const findQuestion = () =>
    screen.findByRole('dialog', { name: messages.PRINT_CLIENT_NOT_RUNNING_TITLE });
  const expectQuestionClosed = () =>
    waitFor(() =>
      expect(
        screen.queryByRole('dialog', { name: messages.PRINT_CLIENT_NOT_RUNNING_TITLE }),
      ).toBeNull(),
    );

  it.each([true, false])('is offered for download in a browser (single: %s)', async (isSingle) => {
    const open = vi.spyOn(globalThis, 'open').mockReturnValue(null);
    const { user, onClose } = await renderDialog({ canPrintLabels: false, isSingle });
    await user.click(await screen.findByRole('button', { name: 'Printers' }));
    const question = await findQuestion();
    expect(question).toHaveTextContent(messages.PRINT_CLIENT_NOT_RUNNING);
    await user.click(within(question).getByRole('button', { name: 'No' }));
    await expectQuestionClosed();
    expect(open).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Printers' }));
    await user.click(within(await findQuestion()).getByRole('button', { name: 'Yes' }));
    await expectQuestionClosed();
    expect(open).toHaveBeenCalledWith(
      'https://downloads.demo.lab/app',
      '_blank',
      'noopener,noreferrer',
    );
    expect(onClose).not.toHaveBeenCalled();
    open.mockRestore();
  });

  it('is not offered if the lab has no download page', async () => {
    await renderDialog({ canPrintLabels: false, desktopAppUrl: null });
    expect(await screen.findByText(messages.LABELS_AS_PDF)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Printers' })).toBeNull();
  });

  it('is offered when the desktop app does not answer', async () => {
    const printersSpy = vi
      .spyOn(FakeBridge.prototype, 'listPrinters')
      .mockRejectedValue(new ApiError(0));
    const { user, onClose } = await renderDialog();
    const question = await findQuestion();
    expect(question).toHaveTextContent(messages.PRINT_CLIENT_NOT_RUNNING);
    await user.click(within(question).getByRole('button', { name: 'No' }));
    await expectQuestionClosed();
    expect(screen.getByRole('dialog', { name: 'Print Label' })).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    printersSpy.mockRestore();
  });

  it('is offered again for each print that gets no answer', async () => {
    const { user, device } = await renderDialog();
    for (let print = 0; print < 2; print += 1) {
      device.failure = new ApiError(0);
      await clickPrint(user);
      await user.click(within(await findQuestion()).getByRole('button', { name: 'No' }));
      await expectQuestionClosed();
    }
  });

  it('is a message if it does not answer and the lab has no download page', async () => {
    const { user, device } = await renderDialog({ desktopAppUrl: null });
    device.failure = new ApiError(0);
    await clickPrint(user);
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
  });
});

describe('The labels of a requisition', () => {
  it('are shown, and the chosen ones are printed in the entered number of copies', async () => {
    const { user, device } = await renderDialog({ isSingle: true });
    expect(await screen.findByRole('img', { name: 'Label: SST SERUM' })).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'REQUISITION FORM' }));
    const copies = screen.getByRole('spinbutton', { name: 'Copies' });
    await user.clear(copies);
    await user.type(copies, '3');
    await clickPrint(user);
    await waitFor(() =>
      expect(device.jobs).toMatchObject([{ printerId: 'p1', copies: 3, labels: [sst] }]),
    );
  });

  it('are reloaded each time the dialog opens, and outdated ones cannot be printed', async () => {
    let respond: (labels: unknown) => void = () => undefined;
    let reads = 0;
    function Opener() {
      const [isOpen, setIsOpen] = useState(false);
      return isOpen ? (
        <PrinterAndLabelDialog requisitionId={12} onClose={() => setIsOpen(false)} />
      ) : (
        <button onClick={() => setIsOpen(true)}>Open</button>
      );
    }
    const { user, device } = await renderPortal(<Opener />, {
      capabilities: { canPrintLabels: true },
      printers: [zebra],
      answers: {
        'GET /api/v2/requisitions/labels': () =>
          ++reads === 1 ? labels : new Promise((resolve) => (respond = resolve)),
        'GET /api/v2/requisitions/12/label-prints': [],
        'POST /api/v2/requisitions/label-prints': startPrint,
      },
    });
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByRole('img', { name: 'Label: SST SERUM' });
    await closeDialogByEscape(user);
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    await waitFor(() => expect(reads).toBe(2));
    expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
    respond([formFromPortal]);
    await clickPrint(user);
    await waitFor(() =>
      expect(device.jobs).toMatchObject([{ printerId: 'p1', copies: 1, labels: [form] }]),
    );
  });

  it('say who printed them before', async () => {
    const print = {
      printedByName: 'ADA BELL',
      printer: 'Zebra 1',
      workstation: 'BENCH-PC-3',
      // The portal's database is elsewhere; people read the lab's time.
      createdAt: '2026-11-25T08:30:00-06:00',
      endedAt: null,
      state: 'sent',
      labels: 2,
      copies: 1,
      copyNumber: 1,
      printed: 2,
      unknown: 0,
    };
    const { user } = await renderDialog({ isSingle: true, prints: [print] });
    await user.click(await screen.findByText(/^Printed before: 1/));
    const line = '11/25/2026 02:30 PM, ADA BELL, Zebra 1 at BENCH-PC-3: sent to the printer';
    expect(screen.getByText(line)).toBeVisible();
  });

  it('bring the progress and a failure into sight', async () => {
    const scroll = vi
      .spyOn(Element.prototype, 'scrollIntoView')
      .mockImplementation(() => Promise.resolve() as unknown as undefined);
    const { user, device } = await renderDialog({ isSingle: true });
    device.outcome = { state: 'printing', printed: 1 };
    await clickPrint(user);
    const progress = await screen.findByText('1 of 2 labels');
    expect(scroll.mock.contexts).toContain(progress.parentElement);
    device.outcome = { state: 'failed', printed: 1, unknown: 1, error: 'Out.' };
    const alert = await screen.findByRole('alert');
    expect(scroll.mock.contexts).toContain(alert.parentElement);
    scroll.mockRestore();
  });

  it('require a selection to print', async () => {
    const { user } = await renderDialog({ isSingle: true });
    await user.click(await screen.findByRole('checkbox', { name: 'REQUISITION FORM' }));
    await user.click(screen.getByRole('checkbox', { name: 'SST SERUM' }));
    expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
  });

  it('are pictures and a PDF in a browser', async () => {
    const { user, device } = await renderDialog({ isSingle: true, canPrintLabels: false });
    expect(await screen.findByRole('img', { name: 'Label: SST SERUM' })).toBeVisible();
    await clickPrint(user);
    await waitFor(() => expect(device.documents).toHaveLength(1));
  });
});
