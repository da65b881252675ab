import { createContext, use, useLayoutEffect, useMemo, type ReactNode } from 'react';

import { useMedia } from '../components/useMedia';
import { usePreference } from '../device';

type Theme = 'light' | 'dark';

interface ThemeValue {
  isDark: boolean;
  setDark: (dark: boolean) => void;
}

const ThemeContext = createContext<ThemeValue>({ isDark: false, setDark: () => undefined });

export const useTheme = (): ThemeValue => use(ThemeContext);

/** Light or dark: the person's choice on this workstation, else the system's. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [chosen, choose] = usePreference<Theme>('theme');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = chosen === null ? systemIsDark : chosen === 'dark';
  // On the body, so that dialogs and toasts, which live outside the page's tree, follow.
  useLayoutEffect(() => {
    document.body.classList.toggle('bp6-dark', isDark);
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  }, [isDark]);
  const value = useMemo(
    () => ({ isDark, setDark: (dark: boolean) => choose(dark ? 'dark' : 'light') }),
    [isDark, choose],
  );
  return <ThemeContext value={value}>{children}</ThemeContext>;
}
