import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { useLab } from '../../features/settings/api';
import { DEFAULT_PORTAL_NAME, showPortalName } from '../../lib/pageTitle';
import styles from './shell.module.css';

/** A link home with the logo and name of the lab or the portal. Page titles end with the name. */
export function Logo({ home }: { home: string }) {
  const lab = useLab();
  const navigate = useNavigate();
  const name = lab?.title ?? lab?.name ?? DEFAULT_PORTAL_NAME;
  useEffect(() => showPortalName(name), [name]);
  return (
    <a
      href={home}
      className={styles['logo']}
      onClick={(event) => {
        event.preventDefault();
        void navigate(home);
      }}
    >
      <img src={lab?.logo ?? '/favicon.svg'} alt="" height={30} />
      <span>{name}</span>
    </a>
  );
}
