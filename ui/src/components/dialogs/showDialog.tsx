import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog above whatever is on the page, outside of its screens, until it closes itself. */
export function showDialog(build: (close: () => void) => ReactNode): void {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    build(() => {
      // React reads the submitted form after its handlers, so the form outlives this event.
      queueMicrotask(() => {
        root.unmount();
        place.remove();
      });
    }),
  );
}
