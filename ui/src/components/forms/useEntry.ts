import { useState, type RefObject } from 'react';

interface EntryProps {
  field: RefObject<HTMLInputElement | null>;
  /** Puts refused words back, unless others stand in the field by now. */
  giveBack: (words: string) => void;
}

/**
 * Enter behind words that are to be added to a list. Another may be typed at once: the field is
 * free while the words are looked up, and has them back if they are refused. `waiting` is the
 * oldest of those being looked up, '' when there are none: a save must not pass them by.
 */
export function useEntry({ field, giveBack }: EntryProps) {
  const [words, setWords] = useState<readonly string[]>([]);

  const enter = async (entered: string, deal: (words: string) => Promise<boolean>) => {
    setWords((now) => [...now, entered]);
    const taken = await deal(entered).catch(() => false);
    setWords((now) => now.filter((_, at) => at !== now.indexOf(entered)));
    if (taken) return;
    giveBack(entered);
    // Whoever scans on replaces it; whoever looks at it may correct it.
    requestAnimationFrame(() => {
      if (field.current?.value === entered) field.current.select();
    });
  };

  return { waiting: words[0] ?? '', enter };
}
