import { useCapabilities } from '../../api';
import { messages, say } from '../../contract';
import { getToday } from '../../lib/dates';
import { useLab } from './api';
import { useClockDifference } from './useLabClock';
import styles from './shell.module.css';

const FIRST_YEAR = 2012;

/** The copyright line, the version, and the lab's address, phone and e-mail if set (P 2). */
export function Footer() {
  const { version } = useCapabilities();
  const lab = useLab();
  const difference = useClockDifference();
  const contacts = [lab?.address, lab?.phone].filter(Boolean);
  return (
    <footer className={styles['footer']}>
      <span>
        © {FIRST_YEAR} - {getToday().slice(0, 4)} {lab?.name}
      </span>
      <span>Version {version}</span>
      {difference && !difference.isWrong ? (
        <span>{say(messages.LAB_TIMES, { zone: difference.zoneName })}</span>
      ) : null}
      <span className={styles['space']} />
      {contacts.map((text) => (
        <span key={text}>{text}</span>
      ))}
      {lab?.email ? <a href={`mailto:${lab.email}`}>{lab.email}</a> : null}
    </footer>
  );
}
