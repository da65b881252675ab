import { lazy, Suspense, useState } from 'react';

import { useCapabilities } from '../api';
import { LoginScreen } from '../features/accounts/screens/LoginScreen';
import { getHome } from './screens';

const PortalChoicePage = lazy(() => import('./connection/PortalChoicePage'));
const WorkstationNotes = lazy(() => import('./connection/WorkstationNotes'));

/** The sign-in page; in the desktop app, it also names the portal and can change it. */
export function SignIn() {
  const { portal } = useCapabilities();
  const [isChoosing, setIsChoosing] = useState(false);
  if (portal === undefined) return <LoginScreen getHome={getHome} />;
  if (isChoosing) {
    return (
      <Suspense>
        <PortalChoicePage
          onChosen={() => location.reload()}
          onCancel={() => setIsChoosing(false)}
        />
      </Suspense>
    );
  }
  const notes = (
    <Suspense>
      <WorkstationNotes onChange={() => setIsChoosing(true)} />
    </Suspense>
  );
  return <LoginScreen getHome={getHome} notes={notes} />;
}
