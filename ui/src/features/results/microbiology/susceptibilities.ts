import type { OrganismResult } from './api';

/** The antibiotics of all organisms, in the order of the first one that has each. */
export function listAntibiotics(organisms: readonly OrganismResult[]): string[] {
  const names: string[] = [];
  for (const { sensitivity } of organisms) {
    let index = 0;
    for (const { antibioticName } of sensitivity) {
      const knownIndex = names.indexOf(antibioticName);
      if (knownIndex < 0) names.splice(index, 0, antibioticName);
      index = (knownIndex < 0 ? index : knownIndex) + 1;
    }
  }
  return names;
}
