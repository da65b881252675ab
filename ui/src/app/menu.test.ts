import { describe, expect, it } from 'vitest';

import { Role } from '../contract';
import { listTopics, topics } from '../features/help/topics';
import { paths } from '../lib/paths';
import { buildMenu } from './menu';
import { canOpen, screens } from './screens';

const listLabels = (role: Role, resultEntry = false) =>
  buildMenu(role, { resultEntry }).flatMap((group) => group.items.map((item) => item.label));

describe('The menu', () => {
  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'lets %s search and create requisitions',
    (role) => {
      expect(listLabels(role)).toEqual(
        expect.arrayContaining(['Requisition Search', 'New Requisition']),
      );
    },
  );

  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'lets %s search patients',
    (role) => expect(listLabels(role)).toContain('Patients'),
  );

  it.each([Role.PHYSICIAN, Role.PATIENT])('has no patients for %s', (role) => {
    expect(listLabels(role)).not.toContain('Patients');
  });

  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'lets %s export results',
    (role) => expect(listLabels(role)).toContain('Result Export'),
  );

  it.each([Role.PHYSICIAN, Role.PATIENT])('offers %s no export', (role) => {
    expect(listLabels(role)).not.toContain('Result Export');
  });

  it.each([Role.SUPERUSER, Role.LABORATORY])('has autoverification for %s', (role) =>
    expect(listLabels(role)).toContain('Autoverification'),
  );

  it.each([Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT])(
    'has no autoverification for %s',
    (role) => expect(listLabels(role)).not.toContain('Autoverification'),
  );

  it.each([Role.SUPERUSER, Role.LABORATORY])('has the settings of the lab for %s', (role) =>
    expect(listLabels(role)).toContain('Lab Settings'),
  );

  it.each([Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT])(
    'has no settings of the lab for %s',
    (role) => expect(listLabels(role)).not.toContain('Lab Settings'),
  );

  it.each(Object.values(Role))('has the data of the lab only for the lab, not %s', (role) => {
    const isOfLab = role === Role.SUPERUSER || role === Role.LABORATORY;
    expect(listLabels(role).includes('Lab Data')).toBe(isOfLab);
  });

  it('has everything that a lab administers in one group', () => {
    const groups = buildMenu(Role.SUPERUSER, { resultEntry: true }).map(({ label }) => label);
    expect(groups).toEqual(['Results', 'Requisitions', 'Patients', 'System', 'Support']);
  });

  it('lets a physician search but not create requisitions', () => {
    expect(listLabels(Role.PHYSICIAN)).toContain('Requisition Search');
    expect(listLabels(Role.PHYSICIAN)).not.toContain('New Requisition');
  });

  it('offers a patient no requisitions', () => {
    expect(listLabels(Role.PATIENT)).not.toContain('Requisition Search');
  });

  it.each(Object.values(Role).filter((role) => role !== Role.PATIENT))(
    'has the advanced search after the order search for %s',
    (role) =>
      expect(listLabels(role).slice(0, 2)).toEqual(['Order Search', 'Advanced Order Search']),
  );

  it('has no advanced search for a patient', () => {
    expect(listLabels(Role.PATIENT)).not.toContain('Advanced Order Search');
  });

  it('never shows Result Entry to a patient or a physician', () => {
    expect(listLabels(Role.PATIENT, true)).not.toContain('Result Entry');
    expect(listLabels(Role.PHYSICIAN, true)).not.toContain('Result Entry');
  });

  it.each([Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.LABORATORY])(
    'shows Result Entry to %s if the lab allows it',
    (role) => {
      expect(listLabels(role, true)).toContain('Result Entry');
      expect(listLabels(role, false)).not.toContain('Result Entry');
    },
  );
});

const ALL = Object.values(Role);
const CLIENTS = [Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC];
/** Items of the table of P 6, with Laboratory as DECISIONS says. */
const table: readonly [string, readonly Role[]][] = [
  ['Order Search', ALL],
  ['Requisition Search', ALL.filter((role) => role !== Role.PATIENT)],
  ['New Requisition', [...CLIENTS, Role.LABORATORY]],
  ['Users', [Role.SUPERUSER, Role.CLIENT_ADMIN]],
  ['Contact us', ALL],
  ['Supply Request', CLIENTS],
  ['Result Export', [...CLIENTS, Role.LABORATORY]],
];

describe('The table of P 6', () => {
  it.each(table)('shows %s only to its roles', (label, roles) => {
    const rolesWithItem = ALL.filter((role) => listLabels(role).includes(label));
    expect(new Set(rolesWithItem)).toEqual(new Set(roles));
  });

  it.each([paths.terms, paths.privacy])('lets all roles open %s', (path) => {
    expect(screens.find((screen) => screen.path === path)?.act).toBeUndefined();
  });

  it('opens New Requisition in a new window', () => {
    const items = buildMenu(Role.SUPERUSER, { resultEntry: true }).flatMap((group) => group.items);
    expect(items.filter(({ opensNewWindow }) => opensNewWindow).map(({ label }) => label)).toEqual([
      'New Requisition',
    ]);
  });
});

describe('Help', () => {
  it.each(topics.filter((topic) => topic.paths.length > 0))(
    'explains $title to the roles that may open it, and to nobody else',
    (topic) => {
      const mayOpen = ALL.filter((role) => topic.paths.some((path) => canOpen(role, path)));
      expect(ALL.filter((role) => listTopics(role).includes(topic))).toEqual(mayOpen);
    },
  );

  it('has a page about every screen', () => {
    const explainedPaths = topics.flatMap((topic) => topic.paths);
    const missingPaths = screens
      .map(({ path }) => path)
      .filter((path) => !explainedPaths.includes(path));
    expect(missingPaths).toEqual([paths.help]);
  });
});
