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

/** Light or dark: the user's choice on this workstation, otherwise the system's. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = usePreference<Theme>('theme');
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = theme === null ? isSystemDark : theme === 'dark';
  // Set on the body, so that dialogs and toasts outside the page's tree follow.
  useLayoutEffect(() => {
    document.body.classList.toggle('bp6-dark', isDark);
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  }, [isDark]);
  const value = useMemo(
    () => ({ isDark, setDark: (dark: boolean) => setTheme(dark ? 'dark' : 'light') }),
    [isDark, setTheme],
  );
  return <ThemeContext value={value}>{children}</ThemeContext>;
}
