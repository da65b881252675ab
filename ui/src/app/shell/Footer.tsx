import { Link } from 'react-router';

import { useCapabilities } from '../../api';
import { messages, say } from '../../contract';
import { useLab } from '../../features/settings/api';
import { getToday } from '../../lib/dates';
import { paths } from '../../lib/paths';
import { useClockDifference } from './useLabClock';
import styles from './shell.module.css';

const FIRST_YEAR = 2012;
const LINKS = [
  { label: 'Terms & Conditions', path: paths.terms },
  { label: 'Privacy', path: paths.privacy },
  { label: 'Help', path: paths.help },
];

/** Both footers: links and the copyright line; the lab's address, phone and e-mail if set (P 2). */
export function Footer() {
  const { version, portal } = useCapabilities();
  const lab = useLab();
  const difference = useClockDifference();
  const contacts = [lab?.address, lab?.phone].filter(Boolean);
  return (
    <footer className={styles['footer']}>
      {LINKS.map(({ label, path }) => (
        <Link key={path} to={path}>
          {label}
        </Link>
      ))}
      <span>
        © {FIRST_YEAR} - {getToday().slice(0, 4)} {lab?.name}
      </span>
      <span>Version {version}</span>
      {portal?.newerVersion ? (
        <strong>{say(messages.APP_OUTDATED, { version: portal.newerVersion })}</strong>
      ) : null}
      {difference && !difference.isWrong ? (
        <span>{say(messages.LAB_TIMES, { zone: difference.zoneName })}</span>
      ) : null}
      <span className={styles['space']} />
      <address className={styles['contacts']}>
        {contacts.map((text) => (
          <span key={text}>{text}</span>
        ))}
        {lab?.email ? <a href={`mailto:${lab.email}`}>{lab.email}</a> : null}
      </address>
    </footer>
  );
}
