import { useRef, useState, type KeyboardEvent } from 'react';

/** Whether a key opens the browser's list, which reports only the final choice. */
const opensList = ({ key, altKey }: KeyboardEvent): boolean =>
  key === ' ' || key === 'F4' || (altKey && (key === 'ArrowDown' || key === 'ArrowUp'));

/**
 * Returns the props of a select that adds each choice to a list. On the closed list, each letter
 * or arrow changes the choice, so it is added by Enter, by a shortcut, or when the focus leaves.
 */
export function useAddingSelect(onAdd: (value: string) => void) {
  const [choice, setChoice] = useState('');
  const isByKeys = useRef(false);
  const add = () => {
    if (choice === '') return;
    setChoice('');
    onAdd(choice);
  };
  return {
    value: choice,
    onPointerDown: () => {
      isByKeys.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      isByKeys.current = !opensList(event);
      if (event.ctrlKey || event.metaKey) add();
      if (event.key !== 'Enter' || choice === '') return;
      event.preventDefault();
      add();
    },
    onBlur: add,
    onChange: (value: string) => {
      if (isByKeys.current) setChoice(value);
      else if (value !== '') onAdd(value);
    },
  };
}
