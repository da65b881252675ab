import { hasUnsavedChanges } from '../../components/unsavedChanges';

/** Set while the page has unsaved changes. The session's storage outlives the page's process. */
const KEY = 'lab-portal.unsaved';
const EVENTS = ['input', 'click', 'keyup'];

/** Whether the previous page of this window crashed with unsaved changes; true only once. */
export function takeLostWork(): boolean {
  const isLost = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isLost;
}

/** Notes whether the page has unsaved changes. Returns a function that ends this. */
export function noteUnsavedChanges(): () => void {
  let isDue = false;
  const note = () => {
    isDue = false;
    if (hasUnsavedChanges()) sessionStorage.setItem(KEY, 'true');
    else sessionStorage.removeItem(KEY);
  };
  const noteSoon = () => {
    // After the form has handled the event.
    if (!isDue) setTimeout(note);
    isDue = true;
  };
  // A page that is left in the usual way has already asked the person.
  const forget = () => sessionStorage.removeItem(KEY);
  EVENTS.forEach((name) => document.addEventListener(name, noteSoon));
  window.addEventListener('pagehide', forget);
  return () => {
    EVENTS.forEach((name) => document.removeEventListener(name, noteSoon));
    window.removeEventListener('pagehide', forget);
  };
}
