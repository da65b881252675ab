import { useDevice, usePreference, type Printer } from '../../device';

type Size = Printer['size'];

/**
 * The printer to use by default: the one that was chosen last. A printer holds labels of one size,
 * so a person who chooses a size gets the printer that was last chosen for it.
 */
export function useDefaultPrinter(printers: readonly Printer[]) {
  const { preferences } = useDevice();
  const [lastId, setLastId] = usePreference<string>('printer');
  const [bySize, setBySize] = usePreference<Partial<Record<Size, string>>>('printers.sizes');
  const findDefault = (candidates: readonly Printer[], chosenId: string | null | undefined) =>
    candidates.find(({ id }) => id === chosenId) ??
    candidates.find(({ id }) => id === lastId) ??
    candidates.find(({ isDefault }) => isDefault) ??
    candidates[0];
  const findForSize = (size: Size) =>
    findDefault(
      printers.filter((printer) => printer.size === size),
      bySize?.[size],
    );
  const choose = (id: string, size = printers.find((printer) => printer.id === id)?.size) => {
    setLastId(id);
    // Another dialog may have chosen for other sizes meanwhile.
    const latest = preferences.get('printers.sizes') as typeof bySize;
    if (size) setBySize({ ...latest, [size]: id });
  };
  return {
    printer: findDefault(printers, lastId),
    sizes: [...new Set(printers.map(({ size }) => size))].sort(),
    findForSize,
    choose,
    chooseSize: (size: Size) => {
      const printer = findForSize(size);
      if (printer) choose(printer.id);
    },
  };
}
