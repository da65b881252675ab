import { api } from '../api';
import { isPrinting } from '../components/runningPrints';
import { hasUnsavedChanges } from '../components/unsavedChanges';
import { messages } from '../contract';
import { noteUnsavedChanges, takeLostWork } from './connection/lostWork';

/** The desktop app asks the page with this event whether its window may close. */
const CLOSING_EVENT = 'portal:closing';

interface WindowChange {
  act?: 'guards' | 'holds' | 'closes';
  title?: string;
}

const changeWindow = (change: WindowChange): void => {
  api.put('/device/windows/current', { body: change }).catch(() => undefined);
};

/** Returns why the person should be asked before the window closes, or null. */
function findQuestion(): string | null {
  if (hasUnsavedChanges()) return messages.UNSAVED_CHANGES;
  return isPrinting() ? messages.LABELS_STILL_PRINT : null;
}

let detach = (): void => undefined;

/**
 * Asks before the desktop's window closes with unsaved changes or while labels are printing, says
 * after a crash of the page that changes are lost, and shows the screen's title. Returns a function
 * that ends this.
 */
export function attachToWindow(): () => void {
  // A failed start is repeated in the same page.
  detach();
  let isAsking = false;
  const handleClosing = () => {
    if (isAsking) return;
    const question = findQuestion();
    if (question === null) {
      changeWindow({ act: 'closes' });
      return;
    }
    changeWindow({ act: 'holds' });
    isAsking = true;
    void import('./connection/askBeforeClosing').then(
      async ({ askBeforeClosing }) => {
        const shouldClose = await askBeforeClosing(question);
        isAsking = false;
        if (shouldClose) changeWindow({ act: 'closes' });
      },
      () => {
        isAsking = false;
      },
    );
  };
  window.addEventListener(CLOSING_EVENT, handleClosing);
  changeWindow({ act: 'guards' });
  if (takeLostWork()) {
    void import('./connection/showWorkLost').then(
      ({ showWorkLost }) => showWorkLost(),
      () => undefined,
    );
  }
  const stopNoting = noteUnsavedChanges();

  const showTitle = () => changeWindow({ title: document.title });
  const title = document.querySelector('title');
  const observer = new MutationObserver(showTitle);
  if (title !== null) observer.observe(title, { childList: true });
  detach = () => {
    window.removeEventListener(CLOSING_EVENT, handleClosing);
    observer.disconnect();
    stopNoting();
  };
  showTitle();
  return detach;
}
