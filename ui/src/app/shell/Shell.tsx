import { Button, Drawer, Menu, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { useCapabilities, useProfile, useSession } from '../../api';
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog';
import { hasUnsavedChanges } from '../../components/forms/useUnsavedGuard';
import { useScreen } from '../../components/useMedia';
import {
  CaretDownIcon,
  ContrastIcon,
  LogOutIcon,
  MenuIcon,
  UserIcon,
} from '../../components/icons';
import { limits, messages } from '../../contract';
import { paths } from '../../lib/paths';
import { useResultEntryPermissions } from '../../features/settings/api';
import { menuFor } from '../menu';
import { ScreenBoundary } from '../ScreenBoundary';
import { homeOf } from '../screens';
import { useTheme } from '../theme';
import { Footer } from './Footer';
import { IdleGuard } from './IdleGuard';
import { Logo } from './Logo';
import { DrawerMenu, TopMenu } from './MainMenu';
import { OpenByCode } from './OpenByCode';
import { ShortcutsItem, useShortcuts } from './Shortcuts';
import styles from './shell.module.css';

interface ShellProps {
  path: string;
  children: ReactNode;
}

/** Header, menu, the screen, footers; signed-in pages only. */
export default function Shell({ path, children }: ShellProps) {
  const user = useProfile();
  const handheld = useScreen() !== 'desktop';
  useShortcuts();
  // Remembering where it was opened closes it by going anywhere.
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  const drawerOpen = drawerPath === path;
  const setDrawerOpen = (open: boolean) => setDrawerPath(open ? path : null);
  const groups = menuFor(user.role, { resultEntry: useResultEntryPermissions().mayEnter });
  return (
    <div className={styles['shell']}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className={styles['header']} style={{ height: limits.HEADER_HEIGHT_PX }}>
        {handheld ? (
          <Button
            variant="minimal"
            icon={<MenuIcon />}
            aria-label="Menu"
            aria-expanded={drawerOpen}
            onClick={() => setDrawerOpen(!drawerOpen)}
          />
        ) : null}
        <Logo home={homeOf(user.role)} />
        {handheld ? null : <TopMenu groups={groups} path={path} />}
        <div className={styles['space']} />
        <OpenByCode />
        <UserMenu />
      </header>
      {handheld ? (
        <Drawer
          isOpen={drawerOpen}
          onClose={() => setDrawerOpen(false)}
          position="left"
          size={limits.SIDE_MENU_WIDTH_PX}
          title="Menu"
        >
          <DrawerMenu groups={groups} path={path} onFollow={() => setDrawerOpen(false)} />
        </Drawer>
      ) : null}
      <main id="main" tabIndex={-1} className={styles['main']}>
        <ScreenBoundary>{children}</ScreenBoundary>
      </main>
      <Footer />
      <IdleGuard />
    </div>
  );
}

/** The signed-in person's e-mail; dark mode and Logout behind it. */
function UserMenu() {
  const session = useSession();
  const user = useProfile();
  const navigate = useNavigate();
  const { isDark, setDark } = useTheme();
  const { lab } = useCapabilities();
  const screen = useScreen();
  const phone = screen === 'phone';
  const handheld = screen !== 'desktop';
  const [asking, setAsking] = useState(false);
  const leave = () => {
    void navigate(paths.login);
    void session.signOut('left');
  };
  return (
    <>
      <PopoverNext
        placement="bottom-end"
        arrow={false}
        animation="minimal"
        content={
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
            {handheld ? null : <ShortcutsItem />}
            <MenuItem
              icon={<LogOutIcon />}
              text="Logout"
              onClick={() => (hasUnsavedChanges() ? setAsking(true) : leave())}
            />
          </Menu>
        }
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
            {phone ? null : user.email}
          </Button>
        )}
      />
      <ConfirmDialog
        isOpen={asking}
        title="Logout"
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onConfirm={leave}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
