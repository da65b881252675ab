import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { EyeOffIcon, EyeOpenIcon } from '../icons';
import { TextField, type TextFieldProps } from './TextField';

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'upper' | 'rightElement'>;

/** A password with a button that shows and hides it. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      rightElement={
        <Button
          variant="minimal"
          icon={isShown ? <EyeOffIcon /> : <EyeOpenIcon />}
          aria-label={isShown ? `Hide ${props.label}` : `Show ${props.label}`}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}
