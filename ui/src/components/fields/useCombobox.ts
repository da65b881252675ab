import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { describeError, isUnreachable } from '../../api';
import { messages, say } from '../../contract';
import { trackAddition } from '../forms/pendingText';
import { useAddition, type Rejection } from '../forms/useAddition';
import { useDebounced } from '../useDebounced';
import { usePortalReturn } from '../usePortalReturn';
import { findMeaning, type Matching } from './certainty';
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

export interface ComboboxOptions<Line, Answer, Key extends QueryKey> extends Matching<Line> {
  query: SearchQuery<Answer, Key>;
  getLines: (answer: Answer) => readonly Line[];
  getLineKey: (line: Line) => string | number;
  /** The text of a chosen line. */
  getLineText: (line: Line) => string;
  /** The text in the field while nothing is typed. */
  chosenText: string;
  /** Whether the field adds to a list; pending text then stays when the field loses the focus. */
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
  /** Handles Enter on typed text that no line matches. */
  onEnterText?: ((text: string) => Promise<Rejection>) | undefined;
  /** Whether `onEnterText` also handles text that means a line, because lines may share a code. */
  entersCertainText?: boolean | undefined;
  /** Whether to show an extra last line that enters the typed text. */
  offersText?: (text: string, lines: readonly Line[]) => boolean;
  /** Whether the first of several lines that contain the text is highlighted at once. */
  highlightsFirst?: ((text: string) => boolean) | undefined;
  /** Handles Enter while nothing is typed or highlighted. */
  onEnterNothing?: () => void;
  /** Returns the line that an arrow key moves to. By default the highlight wraps around. */
  step?: (by: 1 | -1, position: ListPosition<Line, Answer>) => number;
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
  typedText: string;
  rejection: string | undefined;
  isFetching: boolean;
  /** Closes the list, as when the focus moves elsewhere. */
  close: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onType: (input: HTMLInputElement) => void;
}

const TYPING_PAUSE_MS = 200;

/** Returns the line one step up or down; the ends of the list are neighbors. */
function wrapStep(by: 1 | -1, active: number, count: number): number {
  if (count === 0) return active;
  // With no highlighted line, the first step up leads to the last line.
  const start = active < 0 && by < 0 ? 0 : active;
  return (start + by + count) % count;
}

/**
 * The state and keys of a field that searches the portal (WAI-ARIA combobox). Typing searches,
 * arrow keys highlight, Enter chooses the highlighted line or enters the text. A line is
 * highlighted at once if the text leaves no doubt, or where `highlightsFirst` says so; otherwise
 * Enter highlights the first line, and the next Enter chooses it (ADR 27). A late answer never
 * chooses a line that the user no longer wants.
 */
export function useCombobox<Line, Answer, Key extends QueryKey>(
  options: ComboboxOptions<Line, Answer, Key>,
) {
  const { addsToList, getLineKey } = options;
  const [isOpen, setIsOpen] = useState(false);
  const [typedText, setTypedText] = useState<string | null>(null);
  const [chosenActive, setChosenActive] = useState(-1);
  // Why the line that the user tried last may not be chosen; reset by the next key.
  const [lineRejection, setLineRejection] = useState<Rejection>(null);
  const field = useRef<HTMLInputElement | null>(null);
  // Counts edits, choices and cancellations. An Enter from before the last of them is outdated.
  const editCount = useRef(0);
  const listId = useId();

  const addition = useAddition(field, typedText ?? '');
  const search = useDebounced(addition.text, TYPING_PAUSE_MS);
  const queries = useQueryClient();
  const buildQuery = (text: string) => options.query(text.trim());
  const lookup = useQuery({
    ...buildQuery(search),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  // An open list says why it could not be loaded, but only while that is still true.
  usePortalReturn(() => {
    if (isOpen && isUnreachable(lookup.error)) void lookup.refetch();
  });
  const lines = lookup.data === undefined ? [] : options.getLines(lookup.data);
  const trimmedText = addition.text.trim();
  const isTextOffered = trimmedText !== '' && (options.offersText?.(trimmedText, lines) ?? false);
  // The list on screen may still belong to earlier text.
  const isCurrent =
    search === addition.text &&
    !(options.acceptsCached ? lookup.isPlaceholderData : lookup.isFetching);

  const isShown = isOpen && isCurrent && trimmedText !== '';
  const meaning = findMeaning(isShown ? lines : [], trimmedText, options);
  // A rejected text that has just returned highlights nothing: a user who presses Enter twice would
  // choose the first line without having seen it.
  const highlightsFirst =
    meaning.doubt === 'partial' &&
    addition.rejection === undefined &&
    (options.highlightsFirst?.(trimmedText) ?? false);
  const certainActive = meaning.line === undefined ? -1 : lines.indexOf(meaning.line);
  const ownActive = highlightsFirst ? 0 : certainActive;
  const active = chosenActive >= 0 ? chosenActive : ownActive;

  const restart = () => {
    setChosenActive(-1);
    options.onRestart?.();
  };
  /** Pending text for a list stays visible: it is neither in the list yet nor lost. */
  const close = () => {
    setIsOpen(false);
    restart();
    if (!addsToList) setTypedText(null);
  };
  const clear = () => {
    editCount.current += 1;
    close();
    setTypedText(null);
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

  const loadLines = async (text: string): Promise<readonly Line[]> => {
    const load = () => queries.query(buildQuery(text));
    // The search of a list that has just closed is canceled.
    return options.getLines(await load().catch(load));
  };
  /** Whether a line of an outdated list also matches the current text. */
  const stillMatches = async (line: Line): Promise<boolean> => {
    const currentLines = await loadLines(addition.text).catch(() => []);
    return currentLines.some((candidate) => getLineKey(candidate) === getLineKey(line));
  };
  /** Chooses a line, even of an outdated list, if it matches the current text. */
  const chooseMatching = async (line: Line) => {
    const countBefore = editCount.current;
    if (isCurrent || ((await stillMatches(line)) && editCount.current === countBefore))
      choose(line);
  };
  /** Waits for the list of the current text. Chooses the line that it means, or shows the first. */
  const chooseCertain = async () => {
    const countBefore = editCount.current;
    const matches = await loadLines(trimmedText).catch(() => []);
    if (matches.length === 0 || editCount.current !== countBefore) return;
    const { line } = findMeaning(matches, trimmedText, options);
    if (line === undefined) setChosenActive(0);
    else choose(line);
  };
  /** Adds the line that the text means, once it is known, or a text that matches no line. */
  const addMatching = async (text: string): Promise<Rejection> => {
    const matches = await loadLines(text).catch(() => []);
    const { line } = findMeaning(matches, text, options);
    if (line !== undefined) return options.rejectLine?.(line) ?? (await options.onChoose(line));
    if (matches.length > 0) return say(messages.SEVERAL_MATCHES, { text });
    return (await options.onEnterText?.(text)) ?? null;
  };
  const enterText = async (add: (text: string) => Promise<Rejection>) => {
    let hasMatches = isCurrent && lines.length > 0;
    clear();
    const hasReturned = await addition.enter(trimmedText, async (text) => {
      const rejection = await add(text);
      hasMatches ||= rejection === say(messages.SEVERAL_MATCHES, { text });
      return rejection;
    });
    if (hasReturned && hasMatches && document.activeElement === field.current) setIsOpen(true);
  };
  const enter = async () => {
    const { onEnterText, entersCertainText = false } = options;
    const highlightedLine = isOpen ? lines[entersCertainText ? chosenActive : active] : undefined;
    const [onlyLine, ...otherLines] = lines;
    if (highlightedLine !== undefined) {
      await chooseMatching(highlightedLine);
    } else if (onEnterText && isTextOffered && chosenActive === lines.length) {
      await enterText(onEnterText);
    } else if (meaning.doubt === 'partial' || (meaning.doubt === 'exact' && !entersCertainText)) {
      setChosenActive(0);
    } else if (trimmedText !== '' && onEnterText) {
      await enterText(entersCertainText ? onEnterText : addMatching);
    } else if (options.onEnterNothing) {
      close();
      options.onEnterNothing();
    } else if (isOpen && !isCurrent && trimmedText !== '') {
      await chooseCertain();
    } else if (isOpen && isCurrent && onlyLine !== undefined && otherLines.length === 0) {
      choose(onlyLine);
    }
  };

  const moveHighlight = (by: 1 | -1) => {
    setIsOpen(true);
    const position = { isOpen, active, lines, answer: lookup.data };
    const count = lines.length + (isTextOffered ? 1 : 0);
    setChosenActive(options.step?.(by, position) ?? wrapStep(by, active, count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        moveHighlight(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'Enter':
        // A key that is held down must not choose what it has just highlighted.
        if (event.repeat) event.preventDefault();
        else if (isOpen || addition.text || options.onEnterNothing) {
          event.preventDefault();
          void trackAddition(enter());
        }
        break;
      case 'Escape':
        if (isOpen) {
          event.stopPropagation();
          editCount.current += 1;
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
    editCount.current += 1;
    addition.handleEdit(next);
    setLineRejection(null);
    setTypedText(next);
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
      onMouseMove: () => setChosenActive(index),
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
    text: addition.text || (typedText ?? options.chosenText),
    typedText: addition.text,
    rejection: addition.rejection ?? lineRejection ?? undefined,
    isFetching: lookup.isFetching,
    close,
    onKeyDown,
    onType,
  };
  return {
    combobox,
    lines,
    getLineProps,
    answer: lookup.data,
    /** Why the list is empty, as text. */
    status: lookup.isError ? describeError(lookup.error) : pendingStatus,
    /** The text of the extra last line, or null without one. */
    offeredText: isTextOffered ? trimmedText : null,
    setActive: setChosenActive,
    clear,
  };
}
