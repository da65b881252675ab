/**
 * Whether the focus moves away from a combobox: neither to a button of its field nor into its list.
 * Returns false without a target: the window lost the focus, or a click hit nothing that takes it.
 */
export function isFocusLeaving(field: HTMLElement | null, target: Element | null): boolean {
  if (target === null) return false;
  const isOwnButton = field?.closest('.bp6-input-group')?.contains(target) ?? false;
  return !isOwnButton && target.closest('.bp6-popover') === null;
}
