import { useRef, useState, type ReactNode } from 'react';

import { ApiError, explainWait, useProfile, useSession } from '../api';
import { messages } from '../contract';
import { CodeField } from './fields/CodeField';
import { TextField } from './fields/TextField';

/** The password or the code was rejected; the message says why. */
class ProofRejected extends Error {
  readonly field: 'password' | 'code';

  constructor(field: 'password' | 'code', message: string) {
    super(message);
    this.field = field;
  }
}

/** Converts a failed sign-in to a rejection; other errors are returned unchanged. */
function toRejection(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code.startsWith('second_factor_')) return new ProofRejected('code', error.detail);
  if ([401, 404].includes(error.status)) {
    return new ProofRejected('password', messages.INVALID_PASSWORD);
  }
  if (error.status !== 429) return error;
  return new ProofRejected('password', explainWait(error));
}

export interface IdentityProof {
  password: string;
  /** The fields of the password and, for people with a second factor, of its code. */
  fields: ReactNode;
  /** Whether the fields are filled; shows what is missing. */
  isComplete: () => boolean;
  /** Signs in again: signing requires a sign-in within the last two minutes (DECISIONS). */
  prove: () => Promise<void>;
  /** Shows why the proof was rejected. Returns false for other errors. */
  explain: (error: unknown) => boolean;
}

/** Asks the signed-in user for the password again, and for a code of the second factor. */
export function useIdentityProof(
  label = 'Password',
  requiredMessage: string = messages.PASSWORD_REQUIRED,
): IdentityProof {
  const session = useSession();
  const { hasSecondFactor } = useProfile();
  const [password, setPassword] = useState('');
  const [passwordError, setPasswordError] = useState<string>();
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState<string>();
  /** Whether the portal asked for a code that the loaded profile does not require yet. */
  const [wasAsked, setWasAsked] = useState(false);
  const needsCode = hasSecondFactor || wasAsked;
  const passwordInput = useRef<HTMLInputElement>(null);

  return {
    password,
    fields: (
      <>
        <TextField
          label={label}
          type="password"
          required
          autoComplete="current-password"
          inputRef={passwordInput}
          value={password}
          error={passwordError}
          onChange={(value) => {
            setPassword(value);
            setPasswordError(undefined);
          }}
        />
        {needsCode ? (
          <CodeField
            value={code}
            error={codeError}
            onChange={(value) => {
              setCode(value);
              setCodeError(undefined);
            }}
          />
        ) : null}
      </>
    ),
    isComplete: () => {
      const isCodeMissing = needsCode && code.trim() === '';
      setPasswordError(password === '' ? requiredMessage : undefined);
      setCodeError(isCodeMissing ? messages.SECOND_FACTOR_CODE_REQUIRED : undefined);
      return password !== '' && !isCodeMissing;
    },
    prove: async () => {
      try {
        await session.confirmPassword(password, needsCode ? code.trim() : undefined);
      } catch (error) {
        throw toRejection(error);
      }
    },
    explain: (error) => {
      if (!(error instanceof ProofRejected)) return false;
      if (error.field === 'code') {
        // A code works only once, so empty the field for the next one.
        setWasAsked(true);
        setCode('');
        setCodeError(error.message);
        return true;
      }
      setPasswordError(error.message);
      // Select the password, so that the next attempt replaces it.
      passwordInput.current?.select();
      return true;
    },
  };
}
