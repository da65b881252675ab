import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { useScreen } from '../../components/useMedia';
import { CaretDownIcon, ShareIcon } from '../../components/icons';
import { useOpenPath } from '../../components/useOpenPath';
import type { ScreenLink, MenuGroup } from '../menu';
import styles from './shell.module.css';

/** Returns a group's only item. It replaces the group: a list of one item would cost a click. */
const getOnlyItem = ({ items: [first, ...others] }: MenuGroup): ScreenLink | undefined =>
  others.length === 0 ? first : undefined;

interface MenuProps {
  groups: readonly MenuGroup[];
  path: string;
}

function MenuLink({
  item,
  path,
  onFollow,
  className = styles['item'],
}: {
  item: ScreenLink;
  path: string;
  onFollow: () => void;
  className?: string | undefined;
}) {
  const navigate = useNavigate();
  const openPath = useOpenPath();
  const isDesktop = useScreen() === 'desktop';
  const opensNewWindow = isDesktop && item.opensNewWindow === true;
  return (
    <a
      href={item.path}
      className={className}
      aria-current={item.path === path ? 'page' : undefined}
      onClick={(event) => {
        // Ctrl, Shift and the middle button keep their meaning.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onFollow();
        if (opensNewWindow) void openPath(item.path);
        else void navigate(item.path);
      }}
    >
      {item.label}
      {opensNewWindow ? (
        <span className={styles['newWindowIcon']}>
          <ShareIcon size={12} title="opens in a new window" />
        </span>
      ) : null}
    </a>
  );
}

/** The open dropdown. If a click opened it, it stays open when the pointer leaves. */
interface OpenGroup {
  label: string;
  byHover: boolean;
}

/** The desktop menu: dropdowns that open on hover, click and by keyboard. */
export function TopMenu({ groups, path }: MenuProps) {
  const [open, setOpen] = useState<OpenGroup | null>(null);
  const root = useRef<HTMLElement>(null);
  const close = () => setOpen(null);

  useEffect(() => {
    const handleOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    const handleEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('pointerdown', handleOutside);
    document.addEventListener('focusin', handleOutside);
    document.addEventListener('keydown', handleEscape);
    return () => {
      document.removeEventListener('pointerdown', handleOutside);
      document.removeEventListener('focusin', handleOutside);
      document.removeEventListener('keydown', handleEscape);
    };
  }, []);

  return (
    <nav ref={root} aria-label="Main" className={styles['topMenu']}>
      <ul>
        {groups.map((group) => {
          const onlyItem = getOnlyItem(group);
          if (onlyItem !== undefined) {
            return (
              <li key={group.label}>
                <MenuLink
                  item={onlyItem}
                  path={path}
                  onFollow={close}
                  className={styles['group']}
                />
              </li>
            );
          }
          const isOpen = open?.label === group.label;
          const isCurrent = group.items.some((item) => item.path === path);
          return (
            <li
              key={group.label}
              onPointerEnter={(event) => {
                if (event.pointerType === 'touch' || isOpen) return;
                setOpen({ label: group.label, byHover: true });
              }}
              onPointerLeave={(event) => {
                if (event.pointerType !== 'touch' && open?.byHover) close();
              }}
            >
              <button
                type="button"
                className={styles['group']}
                data-current={isCurrent}
                aria-expanded={isOpen}
                onClick={() =>
                  // A click on a group that the pointer has just opened must not close it.
                  setOpen(isOpen && !open.byHover ? null : { label: group.label, byHover: false })
                }
              >
                {group.label}
                <CaretDownIcon />
              </button>
              {isOpen ? (
                <ul className={styles['dropdown']}>
                  {group.items.map((item) => (
                    <li key={item.path}>
                      <MenuLink item={item} path={path} onFollow={close} />
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The menu of handhelds, inside the drawer. */
export function DrawerMenu({ groups, path, onFollow }: MenuProps & { onFollow: () => void }) {
  return (
    <nav aria-label="Main" className={styles['drawerMenu']}>
      {groups.map((group) => (
        <section key={group.label}>
          {getOnlyItem(group) === undefined ? <h2>{group.label}</h2> : null}
          <ul>
            {group.items.map((item) => (
              <li key={item.path}>
                <MenuLink item={item} path={path} onFollow={onFollow} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
