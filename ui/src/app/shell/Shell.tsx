import { Button, Drawer } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';

import { useProfile } from '../../api';
import { OfflineNotice } from '../../components/OfflineNotice';
import { useScreen } from '../../components/useMedia';
import { useOpenPath } from '../../components/useOpenPath';
import { HelpIcon, MenuIcon } from '../../components/icons';
import { limits } from '../../contract';
import { getHelpPath } from '../../features/help/link';
import { useResultEntryPermissions } from '../../features/settings/api';
import { buildMenu } from '../menu';
import { ScreenBoundary } from '../ScreenBoundary';
import { getHome } from '../screens';
import { Footer } from './Footer';
import { IdleGuard } from './IdleGuard';
import { Logo } from './Logo';
import { ClockNotice } from './ClockNotice';
import { DrawerMenu, TopMenu } from './MainMenu';
import { OpenByCode } from './OpenByCode';
import { useShortcuts } from './Shortcuts';
import { UserMenu } from './UserMenu';
import styles from './shell.module.css';

interface ShellProps {
  path: string;
  children: ReactNode;
}

/** Header, menu, screen and footer of the signed-in portal. */
export default function Shell({ path, children }: ShellProps) {
  const user = useProfile();
  const isHandheld = useScreen() !== 'desktop';
  const openPath = useOpenPath();
  useShortcuts();
  // The drawer belongs to one path, so that navigating anywhere closes it.
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  const isDrawerOpen = drawerPath === path;
  const setIsDrawerOpen = (open: boolean) => setDrawerPath(open ? path : null);
  const groups = buildMenu(user.role, { resultEntry: useResultEntryPermissions().canEnter });
  return (
    <div className={styles['shell']}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className={styles['header']} style={{ height: limits.HEADER_HEIGHT_PX }}>
        {isHandheld ? (
          <Button
            variant="minimal"
            icon={<MenuIcon />}
            aria-label="Menu"
            aria-expanded={isDrawerOpen}
            onClick={() => setIsDrawerOpen(!isDrawerOpen)}
          />
        ) : null}
        <Logo home={getHome(user.role)} />
        {isHandheld ? null : <TopMenu groups={groups} path={path} />}
        <div className={styles['space']} />
        <OpenByCode />
        <Button
          variant="minimal"
          icon={<HelpIcon />}
          title="Help on this screen"
          aria-label="Help on this screen"
          onClick={() => void openPath(getHelpPath(path))}
        />
        <UserMenu />
      </header>
      {isHandheld ? (
        <Drawer
          isOpen={isDrawerOpen}
          onClose={() => setIsDrawerOpen(false)}
          position="left"
          size={limits.SIDE_MENU_WIDTH_PX}
          title="Menu"
        >
          <DrawerMenu groups={groups} path={path} onFollow={() => setIsDrawerOpen(false)} />
        </Drawer>
      ) : null}
      <OfflineNotice />
      <ClockNotice />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <ScreenBoundary>{children}</ScreenBoundary>
      </main>
      <Footer />
      <IdleGuard />
    </div>
  );
}
