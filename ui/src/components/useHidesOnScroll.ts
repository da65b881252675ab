import { useEffect, useState } from 'react';

const STEP_PX = 8;
/** Below the last row is space for what floats. */
const END_PX = 60;

/**
 * Whether the user reads on: the page was last scrolled down, and has not reached its end. What
 * floats above the page hides then, and returns when the user scrolls up.
 */
export function useHidesOnScroll(): boolean {
  const [isHidden, setIsHidden] = useState(false);
  useEffect(() => {
    const tops = new WeakMap<Element, number>();
    const onScroll = ({ target }: Event) => {
      const element = target instanceof Document ? target.documentElement : target;
      // Tables and lists scroll inside the page.
      if (!(element instanceof Element) || !/^(HTML|BODY|MAIN)$/.test(element.tagName)) return;
      const { scrollTop, scrollHeight, clientHeight } = element;
      const before = tops.get(element) ?? 0;
      if (Math.abs(scrollTop - before) < STEP_PX) return;
      tops.set(element, scrollTop);
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - END_PX;
      setIsHidden(scrollTop > before && !isAtEnd);
    };
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', onScroll, { capture: true });
  }, []);
  return isHidden;
}
