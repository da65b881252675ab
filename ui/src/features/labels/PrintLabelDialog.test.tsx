import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '../../api';
import { messages } from '../../contract';
import type { Printer } from '../../device';
import { FakeBridge } from '../../device/fake';
import { closeDialogByEscape } from '../../test/dialogs';
import { renderPortal } from '../../test/render';
import { PrinterAndLabelDialog } from './PrinterAndLabelDialog';
import { PrintLabelDialog } from './PrintLabelDialog';

const sst = { title: 'SST SERUM', image: 'AAAA', zpl: '^XA1^XZ', epl: 'N1' };
const form = { title: 'REQUISITION FORM', image: 'BBBB', zpl: '^XA2^XZ', epl: 'N2' };
const labels = [sst, form];
const zebra: Printer = {
  id: 'p1',
  name: 'Front desk',
  kind: 'tcp',
  address: '10.0.0.5:9100',
  language: 'zpl',
  dpi: 203,
  isDefault: true,
};

interface Options {
  canPrintLabels?: boolean;
  printers?: Printer[];
  isSingle?: boolean;
}

async function renderDialog({
  canPrintLabels = true,
  printers = [zebra],
  isSingle = false,
}: Options = {}) {
  const onClose = vi.fn();
  const dialog = isSingle ? (
    <PrinterAndLabelDialog requisitionId={12} onClose={onClose} />
  ) : (
    <PrintLabelDialog ids={[12, 13]} onClose={onClose} />
  );
  const answers = { 'GET /api/v2/requisitions/labels': labels };
  const view = await renderPortal(dialog, { capabilities: { canPrintLabels }, printers, answers });
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
    expect(device.jobs).toEqual([{ printerId: 'p1', copies: 1, labels }]);
    expect(onClose).toHaveBeenCalled();
    const request = requests.find(({ path }) => path.endsWith('/labels'));
    expect(request?.query.getAll('ids')).toEqual(['12', '13']);
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

  it('sets up a printer if there is none', async () => {
    const { user, device } = await renderDialog({ printers: [] });
    expect(await screen.findByText('No printer is set up on this workstation')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Bench');
    await user.type(dialog.getByRole('textbox', { name: /Address/ }), '10.0.0.9');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByRole('option', { name: 'Bench' })).toBeInTheDocument();
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
      expect(device.jobs).toEqual([{ printerId: 'p1', copies: 3, labels: [sst] }]),
    );
  });

  it('are reloaded each time the dialog opens, and outdated ones cannot be printed', async () => {
    let respond: (labels: unknown) => void = () => undefined;
    let reads = 0;
    function Opener() {
      const [open, setOpen] = useState(false);
      return open ? (
        <PrinterAndLabelDialog requisitionId={12} onClose={() => setOpen(false)} />
      ) : (
        <button onClick={() => setOpen(true)}>Open</button>
      );
    }
    const { user, device } = await renderPortal(<Opener />, {
      capabilities: { canPrintLabels: true },
      printers: [zebra],
      answers: {
        'GET /api/v2/requisitions/labels': () =>
          ++reads === 1 ? labels : new Promise((resolve) => (respond = resolve)),
      },
    });
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByRole('img', { name: 'Label: SST SERUM' });
    await closeDialogByEscape(user);
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    await waitFor(() => expect(reads).toBe(2));
    expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
    respond([form]);
    await clickPrint(user);
    await waitFor(() =>
      expect(device.jobs).toEqual([{ printerId: 'p1', copies: 1, labels: [form] }]),
    );
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
