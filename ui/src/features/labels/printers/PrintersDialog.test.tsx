import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../../../api';
import { messages } from '../../../contract';
import type { Printer, PrinterStatus } from '../../../device';
import { FakeBridge } from '../../../device/fake';
import { renderPortal } from '../../../test/render';
import PrintersDialog from './PrintersDialog';

const zebra: Printer = {
  id: 'tcp:1',
  name: 'Front desk',
  kind: 'tcp',
  address: '10.0.0.5:9100',
  language: 'zpl',
  dpi: 203,
  isDefault: false,
  size: '2x1',
  darkness: null,
  speed: null,
  offsetX: 0,
  offsetY: 0,
  changedBy: null,
  changedAt: null,
  changedSettings: [],
};
const queue: Printer = {
  ...zebra,
  id: 'cups:Bench',
  name: 'Bench',
  kind: 'cups',
  address: 'Bench',
};
const outOfPaper: PrinterStatus = {
  isKnown: true,
  problems: ['paper-out', 'head-open'],
  waiting: 2,
};
const readyStatus: PrinterStatus = { isKnown: true, problems: [], waiting: 0 };

async function renderPrinters(printers: Printer[] = [zebra, queue]) {
  const onChoose = vi.fn();
  vi.spyOn(FakeBridge.prototype, 'readPrinterStatus').mockImplementation((id?: string) =>
    Promise.resolve(id === 'tcp:1' ? outOfPaper : readyStatus),
  );
  const view = await renderPortal(
    <PrintersDialog onClose={() => undefined} onChoose={onChoose} />,
    { capabilities: { canPrintLabels: true }, printers },
  );
  return { ...view, onChoose };
}

function getRow(element: HTMLElement): HTMLElement {
  const row = element.closest('tr');
  if (row === null) throw new Error('the element is not in a row');
  return row;
}

const findRow = async (name: string) =>
  within(getRow(await screen.findByRole('radio', { name: `Use ${name}` })));

afterEach(() => vi.restoreAllMocks());

describe('Printers', () => {
  it('show their live status in words', async () => {
    await renderPrinters();
    const row = await findRow('Front desk');
    expect(await row.findByText('out of labels, the head is open')).toBeVisible();
    expect(await (await findRow('Bench')).findByText('ready')).toBeVisible();
  });

  it('are chosen for all labels of this workstation', async () => {
    const { user, device, onChoose } = await renderPrinters();
    await user.click(await screen.findByRole('radio', { name: 'Use Bench' }));
    expect(onChoose).toHaveBeenCalledWith('cups:Bench');
    expect(device.preferences.get('printer')).toBe('cups:Bench');
  });

  it('are used in their order until one is chosen, as in the print dialogs', async () => {
    await renderPrinters([{ ...zebra, isDefault: false }, queue]);
    expect(await screen.findByRole('radio', { name: 'Use Front desk' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Use Bench' })).not.toBeChecked();
  });

  it('have one default for each label size', async () => {
    const wide = { ...queue, id: 'cups:Wide', name: 'Wide', size: '3x1' };
    const { user, device } = await renderPrinters([zebra, queue, wide]);
    expect(await screen.findByRole('radio', { name: 'Use Wide' })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: 'Use Bench' }));
    expect(screen.getByRole('radio', { name: 'Use Bench' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Use Front desk' })).not.toBeChecked();
    expect(screen.getByRole('radio', { name: 'Use Wide' })).toBeChecked();
    expect(device.preferences.get('printers.sizes')).toEqual({ '2x1': 'cups:Bench' });
  });

  it('say who changed their settings', async () => {
    const change = { changedBy: 'ADA BELL', changedAt: '2026-11-25T08:30:00-06:00' };
    await renderPrinters([{ ...zebra, ...change }, queue]);
    expect(await screen.findByText('Changed by ADA BELL, 11/25/2026 02:30 PM')).toBeVisible();
  });

  it('say which settings were changed last', async () => {
    const change = {
      changedBy: 'ADA BELL',
      changedAt: '2026-11-25T08:30:00Z',
      changedSettings: ['dpi', 'offsetX'] as const,
    };
    await renderPrinters([{ ...zebra, ...change, changedSettings: [...change.changedSettings] }]);
    expect(await screen.findByText(/^Changed by ADA BELL.*: density, move right$/)).toBeVisible();
  });

  it('print a test label', async () => {
    const { user, device } = await renderPrinters();
    await user.click(
      await screen.findByRole('button', { name: 'Print a test label on Front desk' }),
    );
    expect(await screen.findByText('Test label sent to Front desk')).toBeVisible();
    expect(device.rulers).toEqual(['tcp:1']);
  });

  it('have settings, which can be changed', async () => {
    const { user, device } = await renderPrinters();
    await user.click(await screen.findByRole('button', { name: 'Edit Front desk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit printer' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Density' }), '300');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Label size' }), '3x1');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Darkness' }), '18');
    const right = dialog.getByRole('textbox', { name: 'Move right (mm)' });
    await user.clear(right);
    await user.type(right, '1.5');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(device.available[0]).toMatchObject({
        name: 'Front desk',
        address: '10.0.0.5:9100',
        dpi: 300,
        size: '3x1',
        darkness: 18,
        speed: null,
        offsetX: 1.5,
      }),
    );
  });

  it('of the computer keep their name and address', async () => {
    const { user, device } = await renderPrinters();
    expect(screen.queryByRole('button', { name: 'Remove Bench' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Edit Bench' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit printer' }));
    expect(dialog.queryByRole('textbox', { name: /Address/ })).toBeNull();
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Language' }), 'epl');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(device.available[1]?.language).toBe('epl'));
  });

  it('are removed after a question', async () => {
    const { user, device } = await renderPrinters();
    await user.click(await screen.findByRole('button', { name: 'Remove Front desk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove printer' }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(device.available).toEqual([queue]));
    await waitFor(() => expect(screen.queryByText('Front desk')).toBeNull());
  });

  it('are asked for language and density', async () => {
    const { user, device } = await renderPrinters([]);
    device.answering = [
      { host: '10.0.0.9', port: 9100, model: 'ZD421-300dpi', language: 'zpl', dpi: 300 },
    ];
    await user.click(await screen.findByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.type(dialog.getByRole('textbox', { name: /Address/ }), '10.0.0.9');
    await user.click(dialog.getByRole('button', { name: 'Ask printer' }));
    await waitFor(() =>
      expect(dialog.getByRole('combobox', { name: 'Density' })).toHaveValue('300'),
    );
    expect(dialog.getByRole('textbox', { name: /Name/ })).toHaveValue('ZD421-300dpi');
  });

  it('are not asked without an address, which would ask the whole network', async () => {
    const { user, device } = await renderPrinters([]);
    const searchPrinters = vi.spyOn(device, 'searchPrinters');
    await user.click(await screen.findByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.click(dialog.getByRole('button', { name: 'Ask printer' }));
    expect(await dialog.findByText(messages.VALUE_REQUIRED)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /Address/ })).toHaveFocus();
    expect(searchPrinters).not.toHaveBeenCalled();
  });

  it('show beside the field what this workstation rejects', async () => {
    const { user, device } = await renderPrinters([]);
    const errors = [{ field: 'host', message: messages.VALUE_INVALID }];
    const rejection = new ApiError(400, { code: 'bad_input', detail: 'No.', errors });
    vi.spyOn(device, 'addPrinter').mockRejectedValue(rejection);
    await user.click(await screen.findByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Bench');
    const address = dialog.getByRole('textbox', { name: /Address/ });
    await user.type(address, 'http://10.0.0.9');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(address).toHaveAccessibleDescription(messages.VALUE_INVALID));
  });

  it('say which settings their language does not have', async () => {
    const { user } = await renderPrinters([]);
    await user.click(await screen.findByRole('button', { name: 'Add printer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    expect(dialog.queryByRole('note')).toBeNull();
    const language = dialog.getByRole('combobox', { name: 'Language' });
    await user.selectOptions(language, 'Images');
    expect(dialog.getByRole('note')).toHaveTextContent(messages.PRINTER_SETTINGS_OF_IMAGES);
    await user.selectOptions(language, 'EPL');
    expect(dialog.getByRole('note')).toHaveTextContent(messages.PRINTER_SETTINGS_OF_EPL);
  });

  it('are searched on the network, and added from the answers', async () => {
    const { user, device } = await renderPrinters([zebra]);
    device.answering = [
      { host: '10.0.0.5', port: 9100, model: 'Known', language: 'zpl', dpi: 203 },
      { host: '10.0.0.7', port: 9100, model: 'ZD621', language: 'zpl', dpi: 300 },
    ];
    await user.click(await screen.findByRole('button', { name: 'Search network' }));
    const section = within(await screen.findByRole('region', { name: 'Printers on the network' }));
    expect(await section.findByText('ZD621')).toBeVisible();
    expect(section.queryByText('Known')).toBeNull();
    await user.click(section.getByRole('button', { name: 'Add' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add printer' }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await waitFor(() =>
      expect(device.available[1]).toMatchObject({ address: '10.0.0.7:9100', dpi: 300 }),
    );
  });

  it('say that no printer is set up', async () => {
    await renderPrinters([]);
    expect(await screen.findByText(messages.PRINTERS_HINT)).toBeVisible();
  });
});
