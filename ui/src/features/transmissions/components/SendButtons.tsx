import { Button } from '@blueprintjs/core';

interface SendButtonsProps {
  disabled: boolean;
  onSend: (by: 'email' | 'fax') => void;
}

/** Opens the dialog for e-mail or fax. */
export function SendButtons({ disabled, onSend }: SendButtonsProps) {
  const buttonProps = { size: 'small', variant: 'minimal', intent: 'primary', disabled } as const;
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
