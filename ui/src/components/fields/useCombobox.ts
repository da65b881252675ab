import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { describe } from '../../api';
import { underWay } from '../forms/unentered';
import { useEntry, type Refusal } from '../forms/useEntry';
import { useDebounced } from '../useDebounced';
import { capitalize } from './typing';

/** What the portal is asked for the words in the field: a factory of `queryOptions` in api.ts. */
export type SearchQuery<Answer, Key extends QueryKey> = (
  search: string,
) => UseQueryOptions<Answer, Error, Answer, Key>;

/** Where the person is in the list. */
export interface Place<Line, Answer> {
  open: boolean;
  /** The index of the highlighted line; -1 where none is. */
  active: number;
  lines: readonly Line[];
  answer: Answer | undefined;
}

export interface ComboboxOptions<Line, Answer, Key extends QueryKey> {
  query: SearchQuery<Answer, Key>;
  linesOf: (answer: Answer) => readonly Line[];
  lineKey: (line: Line) => string | number;
  /** The words of a line that was chosen. */
  lineText: (line: Line) => string;
  /** What stands in the field while nothing is typed. */
  chosenText: string;
  /** For fields that add to a list: what was typed and not chosen stays when they are left. */
  adds: boolean;
  upper: boolean;
  /**
   * Whether a line may be taken at once from an answer to the same words that is being asked for
   * anew; otherwise the new answer is waited for.
   */
  acceptsCached: boolean;
  /** Why a line may not be chosen, as a sentence; null when it may. */
  refuse?: (line: Line) => Refusal;
  /** Takes a chosen line; a promise where that takes a moment, of why it could not be taken. */
  onChoose: (line: Line) => Promise<Refusal> | null;
  /** Enter on typed text while no line is highlighted. */
  onEnterText?: ((text: string) => Promise<Refusal>) | undefined;
  /** Whether one more line, behind the others, does what Enter on the typed text does. */
  offersText?: (text: string, lines: readonly Line[]) => boolean;
  /** Enter while nothing is typed or highlighted. */
  onEnterNothing?: () => void;
  /** The line that an arrow key leads to; without it from the last to the first and back. */
  step?: (by: 1 | -1, place: Place<Line, Answer>) => number;
  /** The list begins anew: other words, or it was closed. */
  onRestart?: () => void;
}

/** What a field and its list are drawn from. */
export interface Combobox {
  listId: string;
  field: RefObject<HTMLInputElement | null>;
  open: boolean;
  setOpen: (open: boolean) => void;
  active: number;
  /** What stands in the field. */
  text: string;
  /** What is typed there, or came back refused. */
  typed: string;
  refusal: string | undefined;
  isFetching: boolean;
  /** Closes the list, as one does who goes elsewhere. */
  close: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onType: (input: HTMLInputElement) => void;
}

const TYPING_PAUSE_MS = 200;

/** From no line at all, the first step up leads to the last one. */
const stepAround = (by: 1 | -1, active: number, count: number): number =>
  count === 0 ? active : (Math.max(active, by < 0 ? 0 : -1) + by + count) % count;

/**
 * The keys and the list of a field that searches the portal (WAI-ARIA combobox): typing looks up,
 * arrows highlight, Enter takes the line or enters the words. An answer that comes late chooses
 * nothing that is not meant any more.
 */
export function useCombobox<Line, Answer, Key extends QueryKey>(
  options: ComboboxOptions<Line, Answer, Key>,
) {
  const { adds, lineKey } = options;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  // Why the line that was tried may not be chosen; out of date with the next key.
  const [lineRefusal, setLineRefusal] = useState<Refusal>(null);
  const field = useRef<HTMLInputElement | null>(null);
  // Counts what was typed, chosen or given up: an earlier Enter is about none of it.
  const turn = useRef(0);
  const listId = useId();

  const entry = useEntry(field, typed ?? '');
  const search = useDebounced(entry.text, TYPING_PAUSE_MS);
  const queries = useQueryClient();
  const queryOf = (text: string) => options.query(text.trim());
  const lookup = useQuery({
    ...queryOf(search),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const lines = lookup.data === undefined ? [] : options.linesOf(lookup.data);
  const free = entry.text.trim();
  const isTextOffered = free !== '' && (options.offersText?.(free, lines) ?? false);
  // What is shown may still be the answer to what was typed before.
  const isCurrent =
    search === entry.text &&
    !(options.acceptsCached ? lookup.isPlaceholderData : lookup.isFetching);

  const restart = () => {
    setActive(-1);
    options.onRestart?.();
  };
  /** What was typed to be added stays in sight: it is not in the list yet, and not lost either. */
  const close = () => {
    setOpen(false);
    restart();
    if (!adds) setTyped(null);
  };
  const clear = () => {
    turn.current += 1;
    close();
    setTyped(null);
    setLineRefusal(null);
    entry.release();
  };
  const choose = (line: Line) => {
    const refusal = options.refuse?.(line) ?? null;
    if (refusal !== null) {
      setLineRefusal(refusal);
      return;
    }
    clear();
    const outcome = options.onChoose(line);
    if (outcome !== null) void entry.enter(options.lineText(line), () => outcome);
  };

  /** Whether a line of the earlier answer is still one for what is typed now. */
  const isMatch = async (line: Line): Promise<boolean> => {
    try {
      const now = options.linesOf(await queries.query(queryOf(entry.text)));
      return now.some((one) => lineKey(one) === lineKey(line));
    } catch {
      return false;
    }
  };
  const enterText = async (add: (text: string) => Promise<Refusal>) => {
    const isKnown = isCurrent && lines.length > 0;
    clear();
    const isBack = await entry.enter(free, add);
    if (isBack && isKnown && document.activeElement === field.current) setOpen(true);
  };
  const enter = async () => {
    const highlighted = open ? lines[active] : undefined;
    const [only] = lines;
    if (highlighted !== undefined) {
      const pressed = turn.current;
      if (isCurrent || ((await isMatch(highlighted)) && turn.current === pressed)) {
        choose(highlighted);
      }
    } else if (free !== '' && options.onEnterText) await enterText(options.onEnterText);
    else if (options.onEnterNothing) {
      close();
      options.onEnterNothing();
    } else if (open && isCurrent && lines.length === 1 && only !== undefined) choose(only);
  };

  const move = (by: 1 | -1) => {
    setOpen(true);
    const place = { open, active, lines, answer: lookup.data };
    const count = lines.length + (isTextOffered ? 1 : 0);
    setActive(options.step?.(by, place) ?? stepAround(by, active, count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'Enter':
        if (open || entry.text || options.onEnterNothing) {
          event.preventDefault();
          void underWay(enter());
        }
        break;
      case 'Escape':
        if (open) {
          event.stopPropagation();
          turn.current += 1;
          close();
        }
        break;
      case 'Tab':
        close();
        break;
    }
  };
  const onType = (input: HTMLInputElement) => {
    const next = options.upper ? capitalize(input) : input.value;
    turn.current += 1;
    entry.edited(next);
    setLineRefusal(null);
    setTyped(next);
    restart();
    setOpen(true);
  };

  const nothing = lines.length === 0 && !isTextOffered ? 'Nothing found' : null;
  const waiting = lookup.isPending ? 'Searching…' : nothing;
  /**
   * What a line is drawn with; the one behind the others enters the words. The field keeps the
   * focus and handles the keys.
   */
  const lineProps = (index: number) => {
    const line = lines[index];
    return {
      id: `${listId}-${index}`,
      'data-active': index === active,
      onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
      onMouseMove: () => setActive(index),
      onClick: () => (line === undefined ? void underWay(enter()) : choose(line)),
    };
  };

  const box: Combobox = {
    listId,
    field,
    open,
    setOpen,
    active,
    text: entry.text || (typed ?? options.chosenText),
    typed: entry.text,
    refusal: entry.refusal ?? lineRefusal ?? undefined,
    isFetching: lookup.isFetching,
    close,
    onKeyDown,
    onType,
  };
  return {
    box,
    lines,
    lineProps,
    answer: lookup.data,
    /** Why there are no lines, in words. */
    status: lookup.isError ? describe(lookup.error) : waiting,
    /** The words of the line that enters them; null where there is no such line. */
    offeredText: isTextOffered ? free : null,
    setActive,
    clear,
  };
}
