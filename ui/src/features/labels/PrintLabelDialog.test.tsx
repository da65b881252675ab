import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '../../api';
import type { Printer } from '../../device';
import { renderPortal } from '../../test/render';
import { PrintLabelDialog } from './PrintLabelDialog';

const labels = [{ title: 'SST SERUM', image: 'AAAA', zpl: '^XA^XZ', epl: 'N' }];
const zebra: Printer = {
  id: 'p1',
  name: 'Front desk',
  kind: 'tcp',
  address: '10.0.0.5:9100',
  language: 'zpl',
  dpi: 203,
  isDefault: true,
};

async function draw(canPrintLabels: boolean, printers: Printer[] = []) {
  const onClose = vi.fn();
  const dialog = (
    <PrintLabelDialog
      queryKey={['requisition', 12]}
      load={() => Promise.resolve(labels)}
      onClose={onClose}
    />
  );
  const drawn = await renderPortal(dialog, { capabilities: { canPrintLabels }, printers });
  return { ...drawn, onClose };
}

describe('Print Label', () => {
  it('sends the labels to the chosen printer and says so', async () => {
    const { user, device, onClose } = await draw(true, [zebra]);
    const print = await screen.findByRole('button', { name: 'Print' });
    await waitFor(() => expect(print).toBeEnabled());
    await user.click(print);
    expect(await screen.findByText('Labels sent to Front desk')).toBeVisible();
    expect(device.jobs).toEqual([{ printerId: 'p1', copies: 1, labels }]);
    expect(onClose).toHaveBeenCalled();
  });

  it('keeps the dialog and says which printer does not answer', async () => {
    const { user, device, onClose } = await draw(true, [zebra]);
    const detail = 'Front desk does not answer. Check that it is switched on and connected.';
    device.failure = new ApiError(503, { code: 'printer_unreachable', detail });
    const print = await screen.findByRole('button', { name: 'Print' });
    await waitFor(() => expect(print).toBeEnabled());
    await user.click(print);
    expect(await screen.findByText(detail)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('sets up a printer where there is none', async () => {
    const { user, device } = await draw(true);
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

  it('shows the labels as pictures where nothing can print them', async () => {
    await draw(false);
    expect(await screen.findByRole('img', { name: 'Label: SST SERUM' })).toBeVisible();
  });
});
