/**
 * The title of the browser's tab or the desktop's window: the names of screen and portal, and of
 * the patient where a setting of the computer allows it.
 */

/** The name of a portal whose lab has not set one. */
export const DEFAULT_PORTAL_NAME = 'Lab Portal';

const shownTitle = { screen: '', patient: '', portal: DEFAULT_PORTAL_NAME };

/** Shows the name of the screen that opens. */
export const showScreenTitle = (screen: string): void => show({ screen });

/** Shows the patient's name; '' removes it. The caller has checked the computer's setting. */
export const showPatientInTitle = (patient: string): void => show({ patient });

/** Shows the portal's name, which the lab may change at any time (P 3, ADR 63). */
export const showPortalName = (portal: string): void => show({ portal });

function show(change: Partial<typeof shownTitle>): void {
  Object.assign(shownTitle, change);
  const { screen, patient, portal } = shownTitle;
  document.title = [screen, patient, portal].filter(Boolean).join(' · ');
}
