import styles from './richText.module.css';

interface RichTextWaitingProps {
  /** Whether the editor will have its bar of formats, which a read-only one lacks. */
  hasBar: boolean;
}

/** The frame of a rich text editor while it loads. It has the editor's height, so nothing jumps. */
export function RichTextWaiting({ hasBar }: RichTextWaitingProps) {
  return (
    <div className={styles['editor']} aria-busy="true">
      {hasBar ? <div className={`${styles['bar']} ${styles['emptyBar']}`} /> : null}
      <div className={styles['text']} />
    </div>
  );
}
