import { useNavigate } from 'react-router';

import { useLab } from '../../features/settings/api';
import styles from './shell.module.css';

/** The lab's name with its logo, or the portal's own; a link to the home screen. */
export function Logo({ home }: { home: string }) {
  const lab = useLab();
  const navigate = useNavigate();
  const name = lab?.title ?? lab?.name ?? 'Lab Portal';
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
