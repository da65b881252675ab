import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { describeError, isUnreachable } from '../../api';
import { trackAddition } from '../forms/pendingText';
import { useAddition, type Rejection } from '../forms/useAddition';
import { useDebounced } from '../useDebounced';
import { usePortalReturn } from '../usePortalReturn';
import { capitalize } from './typing';

/** Builds the query for the text in the field: a `queryOptions` factory of api.ts. */
export type SearchQuery<Answer, Key extends QueryKey> = (
  search: string,
) => UseQueryOptions<Answer, Error, Answer, Key>;

/** The current position in the list. */
export interface ListPosition<Line, Answer> {
  isOpen: boolean;
  /** Index of the highlighted line, or -1. */
  active: number;
  lines: readonly Line[];
  answer: Answer | undefined;
}

export interface ComboboxOptions<Line, Answer, Key extends QueryKey> {
  query: SearchQuery<Answer, Key>;
  getLines: (answer: Answer) => readonly Line[];
  getLineKey: (line: Line) => string | number;
  /** The text of a chosen line. */
  getLineText: (line: Line) => string;
  /** The text in the field while nothing is typed. */
  chosenText: string;
  /** The field adds to a list: pending text stays when it loses the focus. */
  addsToList: boolean;
  upper: boolean;
  /**
   * Whether a line may be chosen from a cached answer while that answer is being reloaded.
   * Otherwise choosing waits for the new answer.
   */
  acceptsCached: boolean;
  /** Returns why a line may not be chosen, or null when it may. */
  rejectLine?: (line: Line) => Rejection;
  /** Handles a chosen line. Returns null, or a promise of the rejection if that takes a while. */
  onChoose: (line: Line) => Promise<Rejection> | null;
  /** Handles Enter on typed text while no line is highlighted. */
  onEnterText?: ((text: string) => Promise<Rejection>) | undefined;
  /**
   * Whether the first line is what the typed text means. It is then highlighted, so that Enter
   * takes it and not half a word.
   */
  marksFirst?: ((line: Line, typed: string) => boolean) | undefined;
  /** `onEnterText` also handles Enter on the line that `marksFirst` has highlighted. */
  entersMarkedText?: boolean | undefined;
  /** Whether to show an extra last line that enters the typed text. */
  offersText?: (text: string, lines: readonly Line[]) => boolean;
  /** Handles Enter while nothing is typed or highlighted. */
  onEnterNothing?: () => void;
  /** Returns the line that an arrow key moves to. By default the highlight wraps around. */
  step?: (by: 1 | -1, place: ListPosition<Line, Answer>) => number;
  /** Called when the list restarts: for other text, or after closing. */
  onRestart?: () => void;
}

/** What a field and its list need for rendering. */
export interface Combobox {
  listId: string;
  field: RefObject<HTMLInputElement | null>;
  isOpen: boolean;
  setIsOpen: (open: boolean) => void;
  active: number;
  /** The text in the field. */
  text: string;
  /** The typed text, or a rejected text that returned. */
  typed: string;
  rejection: string | undefined;
  isFetching: boolean;
  /** Closes the list, as when the focus moves elsewhere. */
  close: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onType: (input: HTMLInputElement) => void;
}

const TYPING_PAUSE_MS = 200;

/** With no highlighted line, the first step up leads to the last line. */
const wrapStep = (by: 1 | -1, active: number, count: number): number =>
  count === 0 ? active : (Math.max(active, by < 0 ? 0 : -1) + by + count) % count;

/**
 * The state and keys of a field that searches the portal (WAI-ARIA combobox). Typing searches,
 * arrow keys highlight, Enter chooses the line or enters the text. A late answer never chooses a
 * line that the user no longer means.
 */
export function useCombobox<Line, Answer, Key extends QueryKey>(
  options: ComboboxOptions<Line, Answer, Key>,
) {
  const { addsToList, getLineKey } = options;
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [chosenActive, setActive] = useState(-1);
  // Why the last line tried may not be chosen; reset by the next key.
  const [lineRejection, setLineRejection] = useState<Rejection>(null);
  const field = useRef<HTMLInputElement | null>(null);
  // Counts edits, choices and cancellations. An Enter from before the last of them is outdated.
  const turn = useRef(0);
  const listId = useId();

  const addition = useAddition(field, typed ?? '');
  const search = useDebounced(addition.text, TYPING_PAUSE_MS);
  const queries = useQueryClient();
  const buildQuery = (text: string) => options.query(text.trim());
  const lookup = useQuery({
    ...buildQuery(search),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  // An open list says why it could not be loaded only for as long as that holds.
  usePortalReturn(() => {
    if (isOpen && isUnreachable(lookup.error)) void lookup.refetch();
  });
  const lines = lookup.data === undefined ? [] : options.getLines(lookup.data);
  const trimmedText = addition.text.trim();
  const isTextOffered = trimmedText !== '' && (options.offersText?.(trimmedText, lines) ?? false);
  // The list on screen may still answer earlier text.
  const isCurrent =
    search === addition.text &&
    !(options.acceptsCached ? lookup.isPlaceholderData : lookup.isFetching);

  const findMarked = ([first]: readonly Line[], text: string): Line | undefined =>
    text !== '' && first !== undefined && options.marksFirst?.(first, text) ? first : undefined;
  const isMarked = isOpen && isCurrent && findMarked(lines, trimmedText) !== undefined;
  const active = isMarked ? Math.max(chosenActive, 0) : chosenActive;

  const restart = () => {
    setActive(-1);
    options.onRestart?.();
  };
  /** Pending text for a list stays visible: it is neither in the list yet nor lost. */
  const close = () => {
    setIsOpen(false);
    restart();
    if (!addsToList) setTyped(null);
  };
  const clear = () => {
    turn.current += 1;
    close();
    setTyped(null);
    setLineRejection(null);
    addition.dismiss();
  };
  const choose = (line: Line) => {
    const rejection = options.rejectLine?.(line) ?? null;
    if (rejection !== null) {
      setLineRejection(rejection);
      return;
    }
    clear();
    const outcome = options.onChoose(line);
    if (outcome !== null) void addition.enter(options.getLineText(line), () => outcome);
  };

  /** Whether a line of an outdated list also matches the current text. */
  const stillMatches = async (line: Line): Promise<boolean> => {
    try {
      const currentLines = options.getLines(await queries.query(buildQuery(addition.text)));
      return currentLines.some((candidate) => getLineKey(candidate) === getLineKey(line));
    } catch {
      return false;
    }
  };
  /** Chooses a line, which an outdated list may show, if it matches the current text. */
  const chooseMatching = async (line: Line) => {
    const turnBefore = turn.current;
    if (isCurrent || ((await stillMatches(line)) && turn.current === turnBefore)) choose(line);
  };
  /** Waits for the list of the current text. Chooses its only line, or highlights the first. */
  const chooseOnly = async () => {
    const turnBefore = turn.current;
    const answer = await queries.query(buildQuery(addition.text)).catch(() => undefined);
    if (answer === undefined || turn.current !== turnBefore) return;
    const [first, ...others] = options.getLines(answer);
    if (first === undefined) return;
    if (others.length === 0) choose(first);
    else setActive(0);
  };
  /** The first line for a text that has left the field, if it is what the text means. */
  const loadMarked = async (text: string): Promise<Line | undefined> => {
    if (options.marksFirst === undefined) return undefined;
    const load = () => queries.query(buildQuery(text));
    // The search of a list that has just closed is canceled.
    const answer = await load().catch(load);
    return findMarked(options.getLines(answer), text);
  };
  /** Adds the line that the text means, once it is known, and otherwise the text. */
  const addMarked = async (text: string): Promise<Rejection> => {
    const line = await loadMarked(text).catch(() => undefined);
    if (line === undefined) return (await options.onEnterText?.(text)) ?? null;
    return options.rejectLine?.(line) ?? (await options.onChoose(line));
  };
  const enterText = async (add: (text: string) => Promise<Rejection>) => {
    const hasMatches = isCurrent && lines.length > 0;
    clear();
    const hasReturned = await addition.enter(trimmedText, add);
    if (hasReturned && hasMatches && document.activeElement === field.current) setIsOpen(true);
  };
  const enter = async () => {
    const position = options.entersMarkedText ? chosenActive : active;
    const highlighted = isOpen ? lines[position] : undefined;
    const [firstLine] = lines;
    if (highlighted !== undefined) {
      await chooseMatching(highlighted);
    } else if (trimmedText !== '' && options.onEnterText) {
      await enterText(options.entersMarkedText ? options.onEnterText : addMarked);
    } else if (options.onEnterNothing) {
      close();
      options.onEnterNothing();
    } else if (isOpen && !isCurrent && trimmedText !== '') {
      await chooseOnly();
    } else if (isOpen && isCurrent && firstLine !== undefined) {
      // Without typed text, nothing says that the first line is meant.
      if (trimmedText !== '' || lines.length === 1) choose(firstLine);
    }
  };

  const moveHighlight = (by: 1 | -1) => {
    setIsOpen(true);
    const position = { isOpen, active, lines, answer: lookup.data };
    const count = lines.length + (isTextOffered ? 1 : 0);
    setActive(options.step?.(by, position) ?? wrapStep(by, active, count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        moveHighlight(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'Enter':
        if (isOpen || addition.text || options.onEnterNothing) {
          event.preventDefault();
          void trackAddition(enter());
        }
        break;
      case 'Escape':
        if (isOpen) {
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
    addition.handleEdit(next);
    setLineRejection(null);
    setTyped(next);
    restart();
    setIsOpen(true);
  };

  const emptyStatus = lines.length === 0 && !isTextOffered ? 'Nothing found' : null;
  const pendingStatus = lookup.isPending ? 'Searching…' : emptyStatus;
  /**
   * Props of a line; the extra last line enters the text. The field keeps the focus and handles the
   * keys.
   */
  const getLineProps = (index: number) => {
    const line = lines[index];
    return {
      id: `${listId}-${index}`,
      'data-active': index === active,
      onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
      onMouseMove: () => setActive(index),
      onClick: () => {
        if (line !== undefined) void trackAddition(chooseMatching(line));
        else void trackAddition(options.onEnterText ? enterText(options.onEnterText) : enter());
      },
    };
  };

  const combobox: Combobox = {
    listId,
    field,
    isOpen,
    setIsOpen,
    active,
    text: addition.text || (typed ?? options.chosenText),
    typed: addition.text,
    rejection: addition.rejection ?? lineRejection ?? undefined,
    isFetching: lookup.isFetching,
    close,
    onKeyDown,
    onType,
  };
  return {
    combobox,
    lines,
    lineProps: getLineProps,
    answer: lookup.data,
    /** Why the list is empty, as text. */
    status: lookup.isError ? describeError(lookup.error) : pendingStatus,
    /** The text of the extra last line, or null without one. */
    offeredText: isTextOffered ? trimmedText : null,
    setActive,
    clear,
  };
}
