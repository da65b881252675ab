import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { describe } from '../../api';
import { limits } from '../../contract';
import { toasts } from '../toasts';
import { underWay } from './unentered';

/** Why entered words were not added, as a sentence; null when they were. */
export type Refusal = string | null;

interface Refused {
  words: string;
  why: string;
}

/**
 * Enter behind words that are to be added to a list. Another may be typed at once: the field is
 * free while the words are looked up. Refused words come back into it, with the reason under it, as
 * soon as nothing else stands there; a toast says why where something does. A save waits for what
 * is looked up, and then for what came back.
 */
export function useEntry(field: RefObject<HTMLInputElement | null>, typed: string) {
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const back = typed === '' ? refused[0] : undefined;

  // Whoever scans on replaces it; whoever looks at it may correct it.
  useLayoutEffect(() => {
    if (back) field.current?.select();
  }, [back, field]);

  const tell = ({ words, why }: Refused) =>
    toasts.error(why.includes(words) ? why : `${words}: ${why}`, limits.UNDO_MS);

  /** The words that came back are entered again, edited or cleared. */
  const release = () => {
    if (back) setRefused((now) => now.filter((one) => one !== back));
  };

  return {
    /** What stands in the field: the words being typed, or those that came back. */
    text: back?.words ?? typed,
    /** Why those came back. */
    refusal: back?.why,
    release,
    /** The person has typed; over words that came back perhaps before the reason could be read. */
    edited: (next: string) => {
      if (back && next.length === 1) tell(back);
      release();
    },
    /** Resolves to whether the words are back in the field. */
    enter: (words: string, add: (words: string) => Promise<Refusal>): Promise<boolean> =>
      underWay(
        add(words)
          .catch(describe)
          .then((why) => {
            if (why === null) return false;
            const isFree = field.current?.value === '';
            if (!isFree) tell({ words, why });
            // Drawn at once: a save that waited for this entry finds the words in the field.
            flushSync(() => setRefused((now) => [...now, { words, why }]));
            return isFree;
          }),
      ),
  };
}
