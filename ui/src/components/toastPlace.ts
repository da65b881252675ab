/** A rectangle on the screen. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** Elements that a person presses or types into. */
const OBSTACLES =
  'button, a[href], input, select, textarea, summary, [contenteditable="true"], ' +
  ['button', 'tab', 'menuitem', 'option', 'checkbox', 'radio', 'switch', 'combobox']
    .map((role) => `[role="${role}"]`)
    .join(', ');
/** The distance from the edges of the window. */
const MARGIN = 12;
/** The distance from obstacles. */
const GAP = 4;
const STEP = 8;

const getOverlap = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
};

const sumOverlaps = (box: Box, obstacles: readonly Box[]): number =>
  obstacles.reduce((sum, obstacle) => sum + getOverlap(box, obstacle), 0);

/**
 * Returns where a box of this size covers no obstacle: as low as possible, and then in the middle
 * rather than at a side. If there is no such place, the box covers as little of them as possible.
 */
export function findFreePlace(size: Size, view: Size, obstacles: readonly Box[]): Box {
  // Spreading would copy nothing: the properties of a DOMRect are inherited.
  const { width, height } = size;
  const right = view.width - width - MARGIN;
  const columns = [(view.width - width) / 2, right, MARGIN];
  let best: Box | null = null;
  let leastOverlap = Infinity;
  for (let top = view.height - height - MARGIN; top >= MARGIN; top -= STEP) {
    for (const left of columns) {
      const box = { left, top, width, height };
      const overlap = sumOverlaps(box, obstacles);
      if (overlap === 0) return box;
      if (overlap < leastOverlap) [best, leastOverlap] = [box, overlap];
    }
  }
  return best ?? { left: MARGIN, top: MARGIN, width, height };
}

/** Whether a box is inside the window, which may have become smaller. */
const isInside = (box: Box, view: Size): boolean =>
  box.left >= 0 &&
  box.top >= 0 &&
  box.left + box.width <= view.width &&
  box.top + box.height <= view.height;

/** Whether a point of the element is visible, or only `cover` hides it. */
function isOnTop(element: Element, cover: Element, x: number, y: number): boolean {
  const [topmost] = document.elementsFromPoint(x, y).filter((hit) => !cover.contains(hit));
  return topmost !== undefined && (element.contains(topmost) || topmost.contains(element));
}

/**
 * Returns the boxes of elements that a person can press or type into now, except those in `cover`.
 */
function measureObstacles(cover: Element): Box[] {
  const boxes: Box[] = [];
  for (const element of document.querySelectorAll(OBSTACLES)) {
    if (cover.contains(element)) continue;
    // A checkbox itself is invisible; people see and press its label.
    const target = element.closest('label') ?? element;
    const { left, top, width, height } = target.getBoundingClientRect();
    if (width < 2 || height < 2) continue;
    // Behind a dialog, or scrolled out of sight.
    if (!isOnTop(target, cover, left + width / 2, top + height / 2)) continue;
    boxes.push({
      left: left - GAP,
      top: top - GAP,
      width: width + 2 * GAP,
      height: height + 2 * GAP,
    });
  }
  return boxes;
}

/** Moves a fixed element to a free place, unless it already has one. */
export function placeFreely(element: HTMLElement): void {
  const current = element.getBoundingClientRect();
  const obstacles = measureObstacles(element);
  const isPlaced = element.style.visibility === 'visible';
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  if (isPlaced && isInside(current, view) && sumOverlaps(current, obstacles) === 0) return;
  const { left, top } = findFreePlace(current, view, obstacles);
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, visibility: 'visible' });
}
