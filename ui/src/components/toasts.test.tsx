import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../api';
import { limits, messages } from '../contract';
import { toasts } from './toasts';

const getTexts = (): (string | null)[] =>
  screen.queryAllByRole('alert').map(({ textContent }) => textContent);

const advance = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

/** Shows messages of one act, and ends the act. */
async function show(run: () => void): Promise<void> {
  act(run);
  await Promise.resolve();
}

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });

  it('appear one at a time: the newer replaces the earlier', async () => {
    await show(() => toasts.success('Requisition Saved!'));
    await show(() => toasts.error('No record found!'));
    expect(getTexts()).toEqual(['No record found!']);
  });

  it('are one toast if they belong to the same act', async () => {
    await show(() => {
      toasts.info('Now supporting all tests: I10.');
      toasts.undo('TSH removed', vi.fn());
    });
    expect(getTexts()).toEqual(['Now supporting all tests: I10.TSH removed']);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    act(() => toasts.close('TSH removed'));
    expect(getTexts()).toEqual([]);
  });

  it('return the focus to where it was when they close', async () => {
    const before = document.createElement('button');
    document.body.append(before);
    before.focus();
    const onUndo = vi.fn();
    await show(() => toasts.undo('TSH removed', onUndo));
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onUndo).toHaveBeenCalled();
    expect(before).toHaveFocus();
    before.remove();
  });

  it('close after their own time, even if the text is repeated', async () => {
    await show(() => toasts.success('Saved'));
    advance(limits.TOAST_MS - 500);
    await show(() => toasts.success('Saved'));
    advance(limits.TOAST_MS - 500);
    expect(getTexts()).toEqual(['Saved']);
    advance(1_000);
    expect(getTexts()).toEqual([]);
  });

  it('warn of a document that is not available, and report other failures as errors', async () => {
    const getToast = (text: string) => screen.getByText(text).closest('.bp6-toast');
    const detail = messages.DOCUMENT_UNAVAILABLE;
    await show(() => toasts.failure(new ApiError(503, { code: 'document_unavailable', detail })));
    expect(getToast(detail)).toHaveClass('bp6-intent-warning');
    await show(() => toasts.failure(new ApiError(500)));
    expect(getToast(messages.INTERNAL_ERROR)).toHaveClass('bp6-intent-danger');
  });

  it('let the progress of a task return after a message', () => {
    const onCancel = vi.fn();
    const report = (value: number) =>
      act(() => toasts.progress('report', { message: `${value * 100} of 100`, value, onCancel }));
    report(0.25);
    act(() => toasts.error('The printer does not answer.'));
    report(0.5);
    expect(getTexts()).toEqual(['The printer does not answer.']);
    advance(limits.TOAST_MS + 100);
    expect(screen.getByRole('status')).toHaveTextContent('50 of 100');
    act(() => toasts.close('report'));
    expect(screen.queryByRole('status')).not.toBeInTheDocument();
  });

  it('are closed by Escape while they have the focus', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    act(() => toasts.undo('K removed', vi.fn()));
    act(() => screen.getByRole('button', { name: 'Undo' }).focus());
    await user.keyboard('{Escape}');
    expect(getTexts()).toEqual([]);
  });
});
