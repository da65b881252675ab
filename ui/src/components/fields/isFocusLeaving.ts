/**
 * Whether the focus goes from a field that has a list to something else: neither to the field's
 * own buttons nor into its list.
 */
export function isFocusLeaving(field: HTMLElement | null, to: Element | null): boolean {
  if (to === null) return false;
  const ownButtons = field?.closest('.bp6-input-group')?.contains(to) ?? false;
  return !ownButtons && to.closest('.bp6-popover') === null;
}
