import { Button, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { describe } from '../../api';
import { FormDialog } from '../../components/dialogs/FormDialog';
import { TextField } from '../../components/fields/TextField';
import { toasts } from '../../components/toasts';
import { useOpenPath } from '../../components/useOpenPath';
import { buildMatrix } from '../../lib/matrix';
import { BarcodeIcon } from '../../components/icons';
import { limits, messages, say } from '../../contract';
import { findByCode } from '../../features/requisitions/api';
import { paths } from '../../lib/paths';

import { CODE, useScanner } from './useScanner';

/** Where the record of a code is shown; null when there is none. */
async function pathOf(code: string): Promise<string | null> {
  const found = await findByCode(code);
  if (found === null) return null;
  if (code.startsWith('L')) return buildMatrix(paths.orderResults, { id: found.orderId });
  return buildMatrix(paths.requisitionForm, { id: found.requisitionId });
}

/** Scan or type a requisition's or an order's code on any screen to open it; Ctrl+K asks for one. */
export function OpenByCode() {
  const openPath = useOpenPath();
  const [asking, setAsking] = useState(false);
  // A question, asked by each scan anew.
  const opening = useMutation({
    mutationFn: pathOf,
    meta: { quiet: true },
    onSuccess: (path, code) => {
      if (path === null) {
        toasts.error(say(messages.CODE_NOT_FOUND, { code }));
        return;
      }
      setAsking(false);
      void openPath(path);
    },
    onError: (error) => toasts.error(describe(error)),
  });
  useScanner((code) => opening.mutate(code));
  const keys = useMemo<HotkeyConfig[]>(
    () => [
      {
        combo: 'mod+k',
        global: true,
        group: 'Everywhere',
        label: 'Open a requisition or order by its code',
        allowInInput: true,
        preventDefault: true,
        onKeyDown: () => setAsking(true),
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
        title="Open by code (Ctrl+K), or scan one on any screen"
        onClick={() => setAsking(true)}
      />
      {asking ? (
        <CodeDialog
          busy={opening.isPending}
          onCode={(code) => opening.mutate(code)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

interface CodeDialogProps {
  busy: boolean;
  onCode: (code: string) => void;
  onClose: () => void;
}

function CodeDialog({ busy, onCode, onClose }: CodeDialogProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  return (
    <FormDialog
      isOpen
      title="Open by code"
      width={limits.DIALOG_OPEN_BY_CODE_WIDTH_PX}
      onClose={onClose}
      submitLabel="Open"
      busy={busy}
      onSubmit={() => {
        const wanted = code.trim();
        if (CODE.test(wanted)) onCode(wanted);
        else setError(messages.CODE_INVALID);
      }}
    >
      <TextField
        label="Requisition Id or order number"
        upper
        value={code}
        error={error}
        placeholder="R260000123"
        onChange={(value) => {
          setCode(value);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
