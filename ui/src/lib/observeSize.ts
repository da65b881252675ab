/**
 * Calls `handleSize` once the element is laid out and whenever its size changes. Returns a function
 * that ends this.
 */
export function observeSize(element: Element, handleSize: () => void): () => void {
  // A test may have no layout.
  if (!('ResizeObserver' in window)) return () => undefined;
  const observer = new ResizeObserver(handleSize);
  observer.observe(element);
  return () => observer.disconnect();
}
