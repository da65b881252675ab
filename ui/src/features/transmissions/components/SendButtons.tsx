import { Button } from '@blueprintjs/core';

import type { Wire } from '../../../contract';

interface SendButtonsProps {
  permission: Wire<'Permission'> | undefined;
  onSend: (by: 'email' | 'fax') => void;
}

/** Opens the dialog for e-mail or fax. */
export function SendButtons({ permission, onSend }: SendButtonsProps) {
  const disabled = permission?.allowed !== true;
  const title = disabled ? (permission?.reason ?? undefined) : undefined;
  const look = { size: 'small', variant: 'minimal', intent: 'primary' } as const;
  const buttonProps = { ...look, disabled, title };
  return (
    <span>
      <Button {...buttonProps} onClick={() => onSend('email')}>
        Email Forms
      </Button>
      <Button {...buttonProps} onClick={() => onSend('fax')}>
        Fax Forms
      </Button>
    </span>
  );
}
