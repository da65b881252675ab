import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog above whatever is on the page, outside of its screens, until it closes itself. */
export function showDialog(build: (close: () => void) => ReactNode): void {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    build(() => {
      root.unmount();
      place.remove();
    }),
  );
}
