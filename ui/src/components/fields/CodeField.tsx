import type { Ref } from 'react';

import { limits } from '../../contract';
import { TextField } from './TextField';

interface CodeFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A code of an authenticator app, or a recovery code, which has letters too. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      {...props}
      label="Code"
      name="code"
      required
      autoComplete="one-time-code"
      maxLength={limits.SECOND_FACTOR_CODE_MAX}
    />
  );
}
