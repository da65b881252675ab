import { Button } from '@blueprintjs/core';

interface SendButtonsProps {
  disabled: boolean;
  onSend: (by: 'email' | 'fax') => void;
}

/** Opens one of the two dialogs. */
export function SendButtons({ disabled, onSend }: SendButtonsProps) {
  const look = { size: 'small', variant: 'minimal', intent: 'primary', disabled } as const;
  return (
    <span>
      <Button {...look} onClick={() => onSend('email')}>
        Email Forms
      </Button>
      <Button {...look} onClick={() => onSend('fax')}>
        Fax Forms
      </Button>
    </span>
  );
}
