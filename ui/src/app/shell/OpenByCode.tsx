import { Button, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router';

import { describeError } from '../../api';
import { FormDialog } from '../../components/dialogs/FormDialog';
import { TextField } from '../../components/fields/TextField';
import { toasts } from '../../components/toasts';
import { useRouteParameters } from '../../components/routeParameters';
import { useOpenPath } from '../../components/useOpenPath';
import { buildMatrix } from '../../lib/matrix';
import { BarcodeIcon } from '../../components/icons';
import { limits, messages, say } from '../../contract';
import { findByCode } from '../../features/requisitions/api';
import { paths } from '../../lib/paths';

import { CODE, useScanner } from '../../components/useScanner';

/** Returns the path of the record with this code, or null if there is none. */
async function findPath(code: string): Promise<string | null> {
  const match = await findByCode(code);
  if (match === null) return null;
  if (code.startsWith('L')) return buildMatrix(paths.orderResults, { id: match.orderId });
  return buildMatrix(paths.requisitionForm, { id: match.requisitionId });
}

/** Opens the record of a `labportal://` link in this window. The address contains its code. */
function useLinkedCode() {
  const { openCode } = useRouteParameters();
  const navigate = useNavigate();
  useEffect(() => {
    if (openCode === undefined) return;
    const open = async () => {
      const path = CODE.test(openCode) ? await findPath(openCode) : null;
      if (path === null) toasts.error(say(messages.CODE_NOT_FOUND, { code: openCode }));
      await navigate(path ?? paths.home, { replace: true });
    };
    open().catch((error: unknown) => toasts.error(describeError(error)));
  }, [openCode, navigate]);
}

/**
 * Opens the requisition or order whose code is scanned or typed on any screen, or entered after
 * Ctrl+K.
 */
export function OpenByCode() {
  const openPath = useOpenPath();
  useLinkedCode();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  /** The code in the dialog, if no record has it. */
  const [unknownCode, setUnknownCode] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  // This is a mutation, although it only reads, so that each scan asks the portal again.
  const lookup = useMutation({
    mutationFn: findPath,
    meta: { quiet: true },
    onSuccess: (path, code) => {
      if (path === null && isDialogOpen) {
        setUnknownCode(code);
        // The next code replaces it.
        field.current?.focus();
        field.current?.select();
        return;
      }
      if (path === null) {
        toasts.error(say(messages.CODE_NOT_FOUND, { code }));
        return;
      }
      setIsDialogOpen(false);
      void openPath(path);
    },
    onError: (error) => toasts.error(describeError(error)),
  });
  useScanner((code) => lookup.mutate(code));
  const keys = useMemo<HotkeyConfig[]>(
    () => [
      {
        combo: 'mod+k',
        global: true,
        group: 'Everywhere',
        label: 'Open a requisition or order by its code',
        allowInInput: true,
        preventDefault: true,
        onKeyDown: () => setIsDialogOpen(true),
      },
    ],
    [],
  );
  useHotkeys(keys);
  return (
    <>
      <Button
        variant="minimal"
        icon={<BarcodeIcon />}
        aria-label="Open by code"
        title="Open by code (Ctrl+K), or scan a code on any screen"
        onClick={() => setIsDialogOpen(true)}
      />
      {isDialogOpen ? (
        <CodeDialog
          busy={lookup.isPending}
          unknownCode={unknownCode}
          inputRef={field}
          onCode={(code) => lookup.mutate(code)}
          onClose={() => setIsDialogOpen(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Passes on keys that arrive before the opened dialog has the focus: a scanner is faster than the
 * dialog, so the start of the code would be lost.
 */
function useEarlyKeys(handlers: { onType: (key: string) => void; onEnter: () => void }) {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isInDialog = (event.target as Element | null)?.closest('[role="dialog"]');
      if (isInDialog || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter') latest.current.onEnter();
      else if (event.key.length === 1) latest.current.onType(event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', handleKey, true);
    return () => document.removeEventListener('keydown', handleKey, true);
  }, []);
}

interface CodeDialogProps {
  busy: boolean;
  unknownCode: string | undefined;
  inputRef: RefObject<HTMLInputElement | null>;
  onCode: (code: string) => void;
  onClose: () => void;
}

function CodeDialog({ busy, unknownCode, inputRef, onCode, onClose }: CodeDialogProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const trimmedCode = code.trim();
  const isUnknown = trimmedCode !== '' && trimmedCode === unknownCode;
  const submit = () => {
    if (CODE.test(trimmedCode)) onCode(trimmedCode);
    else setError(messages.CODE_INVALID);
  };
  const type = (text: string) => {
    setCode(text);
    setError(undefined);
  };
  useEarlyKeys({
    onType: (key) => type(code + key.toUpperCase()),
    onEnter: submit,
  });
  return (
    <FormDialog
      isOpen
      title="Open by code"
      width={limits.DIALOG_OPEN_BY_CODE_WIDTH_PX}
      onClose={onClose}
      submitLabel="Open"
      busy={busy}
      onSubmit={submit}
    >
      <TextField
        label="Requisition Id or order number"
        upper
        value={code}
        error={
          error ?? (isUnknown ? say(messages.CODE_NOT_FOUND, { code: trimmedCode }) : undefined)
        }
        inputRef={inputRef}
        placeholder="R260000123"
        onChange={type}
      />
    </FormDialog>
  );
}
