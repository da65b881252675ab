import { useEffect, useState } from 'react';

import { useHistoryMemory } from './useHistoryMemory';

/**
 * The state of a part of a screen, which Back restores. It is stored like the searches of the
 * search screens.
 */
export function useRememberedState<Value>(
  name: string,
  initialize: () => Value,
): readonly [Value, (value: Value) => void] {
  const memory = useHistoryMemory<Value>(name);
  const [state, setState] = useState(() => ({ memory, value: memory.read() ?? initialize() }));
  // A screen may stay while the address changes. It then keeps its state, unless one is stored for
  // the new address.
  const current = state.memory === memory ? state : { memory, value: memory.read() ?? state.value };
  if (current !== state) setState(current);
  const { value } = current;
  useEffect(() => memory.write(value), [memory, value]);
  return [value, (newValue) => setState({ memory, value: newValue })];
}
