import { Button, Drawer, Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { useCapabilities, useProfile, useSession } from '../../api';
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog';
import { OfflineNotice } from '../../components/OfflineNotice';
import { hasUnsavedChanges } from '../../components/forms/useUnsavedGuard';
import { Popup } from '../../components/Popup';
import { useScreen } from '../../components/useMedia';
import { useOpenPath } from '../../components/useOpenPath';
import {
  CaretDownIcon,
  ContrastIcon,
  HelpIcon,
  LogOutIcon,
  MenuIcon,
  UserIcon,
} from '../../components/icons';
import { limits, messages } from '../../contract';
import { paths } from '../../lib/paths';
import { getHelpPath } from '../../features/help/link';
import { useResultEntryPermissions } from '../../features/settings/api';
import { buildMenu } from '../menu';
import { ScreenBoundary } from '../ScreenBoundary';
import { getHome } from '../screens';
import { useTheme } from '../theme';
import { Footer } from './Footer';
import { IdleGuard } from './IdleGuard';
import { Logo } from './Logo';
import { ClockNotice } from './ClockNotice';
import { DrawerMenu, TopMenu } from './MainMenu';
import { OpenByCode } from './OpenByCode';
import { ShortcutsItem, useShortcuts, useShortcutsDialog } from './Shortcuts';
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

/** The user's e-mail with a menu for dark mode and logout. */
function UserMenu() {
  const session = useSession();
  const user = useProfile();
  const navigate = useNavigate();
  const { isDark, setDark } = useTheme();
  const { lab } = useCapabilities();
  const screen = useScreen();
  const isPhone = screen === 'phone';
  const isHandheld = screen !== 'desktop';
  const [isConfirming, setIsConfirming] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const openShortcuts = useShortcutsDialog(anchor);
  const logOut = () => {
    void navigate(paths.login);
    void session.signOut('left');
  };
  return (
    <div ref={anchor} style={{ display: 'contents' }}>
      <Popup
        placement="bottom-end"
        arrow={false}
        animation="minimal"
        content={() => (
          <Menu>
            <MenuDivider title={user.email} />
            <li role="none" className={styles['userNote']}>
              {user.role}
              {lab ? `, ${lab.name}` : ''}
            </li>
            <MenuDivider />
            <MenuItem
              icon={<ContrastIcon />}
              text={isDark ? 'Light mode' : 'Dark mode'}
              onClick={() => setDark(!isDark)}
            />
            {isHandheld ? null : <ShortcutsItem onOpen={openShortcuts} />}
            <MenuItem
              icon={<LogOutIcon />}
              text="Logout"
              onClick={() => (hasUnsavedChanges() ? setIsConfirming(true) : logOut())}
            />
          </Menu>
        )}
        renderTarget={({ isOpen, ref, ...target }) => (
          <Button
            {...target}
            ref={ref}
            variant="minimal"
            icon={<UserIcon />}
            endIcon={<CaretDownIcon />}
            aria-expanded={isOpen}
            aria-label={`User menu, ${user.email}`}
            className={styles['userButton']}
          >
            {isPhone ? null : user.email}
          </Button>
        )}
      />
      <ConfirmDialog
        isOpen={isConfirming}
        title="Logout"
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onConfirm={logOut}
        onClose={() => setIsConfirming(false)}
      />
    </div>
  );
}
