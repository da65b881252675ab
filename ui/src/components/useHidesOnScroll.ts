import { useEffect, useState } from 'react';

const STEP_PX = 8;
/** The space below the last row for floating elements. */
const END_PX = 60;

/**
 * Whether the user is scrolling down and has not reached the end of the page. Floating elements
 * hide then, and return when the user scrolls up.
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
