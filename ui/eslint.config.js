import { readdirSync, readFileSync } from 'node:fs';

import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Imports go one way: app -> features -> components -> api, device -> lib -> contract. */
const oneWay = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbidden.map((group) => ({
          group: [`**/${group}/**`, `**/${group}`],
          message: `this folder never imports from ${group}/`,
        })),
      },
    ],
  },
});

/** Features by tier: each may use the features above it, and none beside it. */
const FEATURES = [
  [
    'accounts',
    'addresses',
    'catalog',
    'clients',
    'labels',
    'physicians',
    'reports',
    'settings',
    'transmissions',
  ],
  ['billing'],
  ['patients'],
  ['search'],
  ['requisitions'],
  ['orders'],
];
for (const feature of readdirSync(new URL('src/features', import.meta.url))) {
  if (!FEATURES.flat().includes(feature)) throw new Error(`${feature} has no tier here`);
}
/** Every screen has its path in the app; one that nothing there names can not be opened. */
const APP = ['screens.ts', 'router.tsx'].map((name) =>
  readFileSync(new URL(`src/app/${name}`, import.meta.url), 'utf8'),
);
for (const file of readdirSync(new URL('src/features', import.meta.url), { recursive: true })) {
  const screen = /^(\w+\/screens\/[A-Z]\w*)\.tsx$/.exec(file)?.[1];
  if (screen && !APP.some((source) => source.includes(`/features/${screen}'`))) {
    throw new Error(`src/features/${file} has no path in src/app/screens.ts`);
  }
}
/** A row of a form's table of fields is drawn: a part of the form names it. */
for (const feature of FEATURES.flat()) {
  const folder = new URL(`src/features/${feature}/`, import.meta.url);
  if (!readdirSync(folder).includes('fields.ts')) continue;
  const [, table = ''] = readFileSync(new URL('fields.ts', folder), 'utf8').split(
    'export const fields = {\n',
  );
  const drawn = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  for (const [, field] of table.matchAll(/^ {2}(\w+): /gm)) {
    if (!new RegExp(`(["'])${field}\\1|labels\\.${field}\\b`).test(drawn)) {
      throw new Error(`src/features/${feature}/fields.ts: no part of the form draws ${field}`);
    }
  }
}
const featureTiers = FEATURES.flatMap((tier, place) =>
  tier.map((feature) => {
    const others = FEATURES.slice(place).flat();
    const forbidden = others.filter((other) => other !== feature);
    return oneWay([`src/features/${feature}/**`], ['app', ...forbidden]);
  }),
);

export default tseslint.config(
  { ignores: ['dist/', 'src/contract/*.generated.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  a11y.flatConfigs.strict,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'scripts/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'react-hooks': hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      'jsx-a11y/no-noninteractive-element-to-interactive-role': [
        'error',
        { ul: ['listbox'], li: ['option'], table: ['grid'], td: ['gridcell'] },
      ],
      'jsx-a11y/no-interactive-element-to-noninteractive-role': ['error', { canvas: ['img'] }],
      // A region that scrolls must take the focus, or the keyboard can not scroll it.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['tabpanel', 'region'] }],
    },
  },
  {
    // A query's key and its call belong together: a factory in a file of calls has both.
    files: ['src/{app,features}/**/*.tsx', 'src/{app,features}/**/use*.ts'],
    ignores: ['**/*.test.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ":matches(Property[key.name='queryKey'], JSXAttribute[name.name='queryKey'])",
          message: 'Make the query by a factory beside its call, in api.ts.',
        },
      ],
    },
  },
  ...featureTiers,
  oneWay(['src/components/**'], ['app', 'features']),
  oneWay(['src/api/**', 'src/device/**'], ['app', 'features', 'components']),
  oneWay(['src/lib/**'], ['app', 'features', 'components', 'api', 'device']),
  oneWay(['src/contract/**'], ['app', 'features', 'components', 'api', 'device', 'lib']),
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
