import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Fragment, useImperativeHandle, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';

import { ChevronDownIcon, ChevronRightIcon, EditIcon } from '../../../components/icons';
import { useScreen } from '../../../components/useMedia';
import { choices, limits, messages } from '../../../contract';
import type { SupplyCategory } from '../api';
import { countComplete, isIncomplete, type Wish } from '../form';
import styles from './support.module.css';

type Wishes = Readonly<Record<number, Wish>>;

interface SupplyGridProps {
  categories: readonly SupplyCategory[];
  wishes: Wishes;
  onChange: (wishes: Record<number, Wish>) => void;
  /** A function that focuses the first supply without a quantity or a unit. */
  inputRef?: Ref<{ focus: () => void }> | undefined;
}

const NO_WISH: Wish = { quantity: '', config: '', comment: '' };

/** Categories of supplies, paged; a category opens its supplies. */
export function SupplyGrid({ categories, wishes, onChange, inputRef }: SupplyGridProps) {
  const [size, setSize] = useState<number>(limits.PAGE_SIZES[0]);
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(
    new Set(categories.slice(0, 1).map(({ id }) => id)),
  );
  const pages = Math.max(1, Math.ceil(categories.length / size));
  const shownCategories = categories.slice(page * size, (page + 1) * size);
  useImperativeHandle(inputRef, () => ({ focus: focusIncomplete }));
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <div className={styles['grid']}>
      {shownCategories.map((category) => {
        const isOpen = open.has(category.id);
        const count = countComplete(
          category.supplies.map(({ id }) => id),
          wishes,
        );
        return (
          <section key={category.id} aria-label={category.name}>
            <Button
              variant="minimal"
              alignText="start"
              fill
              className={styles['category']}
              icon={isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
              aria-expanded={isOpen}
              onClick={() => toggle(category.id)}
            >
              {category.name}
              {count === 0 ? null : <span className="quiet"> ({count} chosen)</span>}
            </Button>
            {isOpen ? (
              <SupplyTable category={category} wishes={wishes} onChange={onChange} />
            ) : null}
          </section>
        );
      })}
      {categories.length > limits.PAGE_SIZES[0] ? (
        <div className={styles['pager']}>
          <HTMLSelect
            iconName="caret-down"
            aria-label="Categories per page"
            value={size}
            options={[...limits.PAGE_SIZES]}
            onChange={({ currentTarget }) => {
              setSize(Number(currentTarget.value));
              setPage(0);
            }}
          />
          <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <span>
            Page {page + 1} of {pages}
          </span>
          <Button disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      ) : null}
    </div>
  );

  function focusIncomplete() {
    const index = categories.findIndex(({ supplies }) => findIncomplete(supplies, wishes));
    const category = categories[index];
    const supply = findIncomplete(category?.supplies ?? [], wishes);
    if (category === undefined || supply === undefined) return;
    // Its page or its category may be hidden.
    flushSync(() => {
      setPage(Math.floor(index / size));
      setOpen(new Set([...open, category.id]));
    });
    const isWithoutQuantity = !(Number(wishes[supply.id]?.quantity) > 0);
    document.getElementById(buildId(isWithoutQuantity ? 'quantity' : 'config', supply.id))?.focus();
  }
}

const buildId = (part: 'quantity' | 'config' | 'missing', id: number) => `supply-${part}-${id}`;

const findIncomplete = (supplies: SupplyCategory['supplies'], wishes: Wishes) =>
  supplies.find(({ id }) => isIncomplete(wishes[id] ?? NO_WISH));

function SupplyTable({
  category,
  wishes,
  onChange,
}: Omit<SupplyGridProps, 'categories'> & { category: SupplyCategory }) {
  const screen = useScreen();
  const [commentedId, setCommented] = useState<number | null>(null);
  // Columns by priority: phones hide the code, and handhelds show the comment in a separate row.
  const hasCode = screen !== 'phone';
  const hasComment = screen === 'desktop';
  const change = (id: number, part: Partial<Wish>) =>
    onChange({ ...wishes, [id]: { ...NO_WISH, ...wishes[id], ...part } });
  return (
    <table className={styles['supplies']} aria-label={`Supplies of ${category.name}`}>
      <thead>
        <tr>
          {hasCode ? <th scope="col">Code</th> : null}
          <th scope="col">Name</th>
          <th scope="col">Quantity</th>
          <th scope="col">Config</th>
          <th scope="col">
            {hasComment ? 'Comment' : <span className="visually-hidden">Comment</span>}
          </th>
        </tr>
      </thead>
      <tbody>
        {category.supplies.map(({ id, code, name }) => {
          const wish = wishes[id] ?? NO_WISH;
          const missingId = isIncomplete(wish) ? buildId('missing', id) : undefined;
          const comment = (
            <InputGroup
              aria-label={`Comment on ${name}`}
              value={wish.comment}
              maxLength={limits.SUPPLY_COMMENT_MAX}
              onChange={({ currentTarget }) => change(id, { comment: currentTarget.value })}
            />
          );
          return (
            <Fragment key={id}>
              <tr>
                {hasCode ? <td>{code}</td> : null}
                <td>
                  {name}
                  {missingId ? (
                    <div id={missingId} className={styles['missing']}>
                      {messages.SUPPLY_INCOMPLETE}
                    </div>
                  ) : null}
                </td>
                <td>
                  <InputGroup
                    id={buildId('quantity', id)}
                    className={styles['quantity'] ?? ''}
                    aria-describedby={missingId}
                    inputMode="numeric"
                    aria-label={`Quantity of ${name}`}
                    value={wish.quantity}
                    maxLength={String(limits.SUPPLY_QUANTITY_MAX).length}
                    onChange={({ currentTarget }) =>
                      change(id, { quantity: currentTarget.value.replace(/\D/g, '') })
                    }
                  />
                </td>
                <td>
                  <HTMLSelect
                    id={buildId('config', id)}
                    aria-describedby={missingId}
                    iconName="caret-down"
                    aria-label={`Config of ${name}`}
                    value={wish.config}
                    onChange={({ currentTarget }) => change(id, { config: currentTarget.value })}
                  >
                    <option value="" />
                    {choices.SUPPLY_UNITS.map((unit) => (
                      <option key={unit}>{unit}</option>
                    ))}
                  </HTMLSelect>
                </td>
                <td>
                  {hasComment ? (
                    comment
                  ) : (
                    <Button
                      variant="minimal"
                      icon={<EditIcon />}
                      aria-label={`Comment on ${name}: show`}
                      aria-expanded={commentedId === id}
                      active={wish.comment !== ''}
                      onClick={() => setCommented(commentedId === id ? null : id)}
                    />
                  )}
                </td>
              </tr>
              {!hasComment && commentedId === id ? (
                <tr>
                  <td colSpan={hasCode ? 5 : 4}>{comment}</td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
