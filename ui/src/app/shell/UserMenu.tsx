import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { useCapabilities, useProfile, useSession } from '../../api';
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog';
import { hasUnsavedChanges } from '../../components/unsavedChanges';
import {
  CaretDownIcon,
  ClipboardIcon,
  ContrastIcon,
  InfoSignIcon,
  LogOutIcon,
  PersonIcon,
  PrintIcon,
  UserIcon,
} from '../../components/icons';
import { Popup } from '../../components/Popup';
import { toasts } from '../../components/toasts';
import { useScreen } from '../../components/useMedia';
import { messages } from '../../contract';
import { copyDiagnostics } from '../../device';
import { paths } from '../../lib/paths';
import { useTheme } from '../theme';
import { ShortcutsItem, useShortcutsDialog } from './Shortcuts';
import styles from './shell.module.css';

const AboutDialog = lazy(() => import('./AboutDialog'));
const PrintersDialog = lazy(() => import('../../features/labels/printers/PrintersDialog'));
const SettingsDialog = lazy(() => import('../../features/accounts/components/SettingsDialog'));

/** The user's e-mail with a menu: profile, dark mode, and logout. */
export function UserMenu() {
  const session = useSession();
  const user = useProfile();
  const navigate = useNavigate();
  const { isDark, setDark } = useTheme();
  const { lab, canPrintLabels, portal } = useCapabilities();
  const screen = useScreen();
  const isPhone = screen === 'phone';
  const isHandheld = screen !== 'desktop';
  const [isConfirming, setIsConfirming] = useState(false);
  const [isProfileOpen, setIsProfileOpen] = useState(false);
  const [arePrintersOpen, setArePrintersOpen] = useState(false);
  const [isAboutOpen, setIsAboutOpen] = useState(false);
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
              {lab?.name ? `, ${lab.name}` : ''}
            </li>
            <MenuDivider />
            <MenuItem icon={<PersonIcon />} text="Profile" onClick={() => setIsProfileOpen(true)} />
            {canPrintLabels ? (
              <MenuItem
                icon={<PrintIcon />}
                text="Printers"
                onClick={() => setArePrintersOpen(true)}
              />
            ) : null}
            <MenuItem
              icon={<ContrastIcon />}
              text={isDark ? 'Light mode' : 'Dark mode'}
              onClick={() => setDark(!isDark)}
            />
            {portal === undefined ? null : (
              <>
                <MenuItem
                  icon={<ClipboardIcon />}
                  text="Copy diagnostics"
                  onClick={() => void copyDiagnostics().then(toasts.success, toasts.failure)}
                />
                <MenuItem
                  icon={<InfoSignIcon />}
                  text="About"
                  onClick={() => setIsAboutOpen(true)}
                />
              </>
            )}
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
            icon={
              user.imageUrl ? (
                <img
                  src={user.imageUrl}
                  alt=""
                  width={20}
                  height={20}
                  className={styles['avatar']}
                />
              ) : (
                <UserIcon />
              )
            }
            endIcon={<CaretDownIcon />}
            aria-expanded={isOpen}
            aria-label={`User menu, ${user.email}`}
            className={styles['userButton']}
          >
            {isPhone ? null : user.email}
          </Button>
        )}
      />
      {isProfileOpen ? (
        <Suspense>
          <SettingsDialog
            isDark={isDark}
            setDark={setDark}
            onClose={() => setIsProfileOpen(false)}
          />
        </Suspense>
      ) : null}
      {arePrintersOpen ? (
        <Suspense>
          <PrintersDialog onClose={() => setArePrintersOpen(false)} />
        </Suspense>
      ) : null}
      {isAboutOpen ? (
        <Suspense>
          <AboutDialog onClose={() => setIsAboutOpen(false)} />
        </Suspense>
      ) : null}
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
