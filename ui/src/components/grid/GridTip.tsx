import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import styles from './grid.module.css';

interface Tip {
  text: string;
  cell: HTMLElement;
}

const HOVER_PAUSE_MS = 300;
const WIDTH_PX = 340;
const GAP_PX = 3;
const CELL = '[role=gridcell]';

/**
 * Shows the whole of a shortened value while its cell is hovered or has the focus. There is one for
 * the whole grid, because a tooltip in every row would slow down the rows. A cell offers its text
 * as `data-tip`.
 */
export function GridTip() {
  const id = useId();
  const place = useRef<HTMLSpanElement>(null);
  const [tip, setTip] = useState<Tip | null>(null);

  useEffect(() => {
    const grid = place.current?.parentElement;
    if (!grid) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const findTip = (target: EventTarget | null): Tip | null => {
      const cell = target instanceof Element ? target.closest<HTMLElement>(CELL) : null;
      const text = cell?.querySelector<HTMLElement>('[data-tip]')?.dataset['tip'];
      return cell && text ? { text, cell } : null;
    };
    const hide = () => {
      clearTimeout(timer);
      setTip(null);
    };
    const hover = ({ target }: Event) => {
      clearTimeout(timer);
      const next = findTip(target);
      timer = setTimeout(() => setTip(next), next === null ? 0 : HOVER_PAUSE_MS);
    };
    const focus = ({ target }: Event) => setTip(findTip(target));
    const pressKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    const listeners = [
      ['mouseover', hover],
      ['mouseleave', hide],
      ['focusin', focus],
      ['focusout', hide],
      ['wheel', hide],
      ['keydown', pressKey],
    ] as const;
    for (const [name, listener] of listeners) {
      grid.addEventListener(name, listener as EventListener, { passive: true });
    }
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) {
        grid.removeEventListener(name, listener as EventListener);
      }
    };
  }, []);

  useLayoutEffect(() => {
    tip?.cell.setAttribute('aria-describedby', id);
    return () => tip?.cell.removeAttribute('aria-describedby');
  }, [id, tip]);

  return (
    <>
      <span ref={place} hidden />
      {tip ? createPortal(<TipText id={id} tip={tip} />, document.body) : null}
    </>
  );
}

function TipText({ id, tip }: { id: string; tip: Tip }) {
  const box = tip.cell.getBoundingClientRect();
  const left = Math.max(GAP_PX, Math.min(box.left, innerWidth - WIDTH_PX - GAP_PX));
  const isLow = box.bottom > innerHeight / 2;
  return (
    <div
      id={id}
      role="tooltip"
      className={styles['tip']}
      style={
        isLow
          ? { left, bottom: innerHeight - box.top + GAP_PX }
          : { left, top: box.bottom + GAP_PX }
      }
    >
      {tip.text}
    </div>
  );
}
