import { readdirSync, readFileSync } from 'node:fs';

import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Imports go in one direction: app -> features -> components -> api, device -> lib -> contract. */
const forbidImports = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbidden.map((group) => ({
          group: [`**/${group}/**`, `**/${group}`],
          // The screen OrderSearch is not the folder orderSearch.
          caseSensitive: true,
          message: `Files of this folder must not import from ${group}/.`,
        })),
      },
    ],
  },
});

/** Features by tier: each may import from the features of earlier tiers only. */
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
  [
    'billing',
    'help',
    'labData',
    'labSettings',
    'legal',
    'operations',
    'support',
    'specimens',
    'users',
    'waiting',
  ],
  ['patients'],
  ['search'],
  ['requisitions'],
  ['orders', 'criticalResults'],
  ['automation', 'results', 'exports'],
  ['orderSearch', 'audit'],
];
for (const feature of readdirSync(new URL('src/features', import.meta.url))) {
  if (!FEATURES.flat().includes(feature))
    throw new Error(`src/features/${feature} has no tier in FEATURES (ui/eslint.config.js)`);
}
/** The app must name every screen, or nobody can open it. */
const APP_SOURCES = ['screens.ts', 'router.tsx', 'SignIn.tsx'].map((name) =>
  readFileSync(new URL(`src/app/${name}`, import.meta.url), 'utf8'),
);
for (const file of readdirSync(new URL('src/features', import.meta.url), { recursive: true })) {
  const screen = /^(\w+\/screens\/[A-Z]\w*)\.tsx$/.exec(file)?.[1];
  if (screen && !APP_SOURCES.some((source) => source.includes(`/features/${screen}'`))) {
    throw new Error(`src/features/${file} has no path in src/app/screens.ts`);
  }
}
/** A component must show every field in the table of its form; a header shows those with an input. */
for (const feature of FEATURES.flat()) {
  const folder = new URL(`src/features/${feature}/`, import.meta.url);
  if (!readdirSync(folder).includes('fields.ts')) continue;
  const [, table = ''] = readFileSync(new URL('fields.ts', folder), 'utf8').split(
    'export const fields = {\n',
  );
  const components = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  for (const [row, field] of table.matchAll(/^ {2}(\w+): .*(?:\n {4}.*)*/gm)) {
    if (row.includes('\n    input: ')) continue;
    // A grid's column of the same name shows another record.
    if (
      !new RegExp(`(?<!\\b(?:id|sort): )(["'])${field}\\1|labels\\.${field}\\b`).test(components)
    ) {
      throw new Error(`src/features/${feature}/fields.ts: no component shows '${field}'`);
    }
  }
}
/** Names that say too little; `tests/tools/words.py` has the same list for Python, with advice. */
const UNWANTED_NAMES = [
  'found',
  'kept',
  'taken',
  'settled',
  'wanted',
  'told',
  'asked',
  'heard',
  'takes',
  'meet',
];

const featureTiers = FEATURES.flatMap((tier, index) =>
  tier.map((feature) => {
    const sameOrLater = FEATURES.slice(index).flat();
    const forbidden = sameOrLater.filter((name) => name !== feature);
    return forbidImports([`src/features/${feature}/**`], ['app', ...forbidden]);
  }),
);

const SETS_HTML = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Show text as text: HTML from outside could run scripts.',
};

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
      'id-denylist': ['error', ...UNWANTED_NAMES],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      'jsx-a11y/no-noninteractive-element-to-interactive-role': [
        'error',
        { ul: ['listbox'], li: ['option'], table: ['grid'], td: ['gridcell'] },
      ],
      'jsx-a11y/no-interactive-element-to-noninteractive-role': ['error', { canvas: ['img'] }],
      // A scrolling region must be focusable, or the keyboard cannot scroll it.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['tabpanel', 'region'] }],
    },
  },
  {
    // The interface shows text as text nodes: HTML from outside could run scripts.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', 'src/test/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write'].map((property) => ({
          ...(property === 'write' ? { object: 'document' } : {}),
          property,
          message: SETS_HTML.message,
        })),
      ],
      'no-restricted-syntax': ['error', SETS_HTML],
    },
  },
  {
    // The key of a query belongs next to its call, in a factory in api.ts.
    files: ['src/{app,features}/**/*.tsx', 'src/{app,features}/**/use*.ts'],
    ignores: ['**/*.test.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        SETS_HTML,
        {
          selector: ":matches(Property[key.name='queryKey'], JSXAttribute[name.name='queryKey'])",
          message: 'Build the query in a factory next to its call, in api.ts.',
        },
        {
          selector: "JSXOpeningElement[name.name='Button'] > JSXAttribute[name.name='loading']",
          message: 'A button that loads loses the focus. Use ActButton.',
        },
      ],
    },
  },
  {
    // The compiler finds a field that the portal does not know only in a literal of a declared type.
    files: ['src/features/*/*.ts'],
    ignores: ['**/use*.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        SETS_HTML,
        {
          selector:
            ":matches(Property[key.name='body'], VariableDeclarator[id.name='body']) > ObjectExpression",
          message:
            "Write `satisfies Wire<'...'>` behind the body, or the portal may ignore fields.",
        },
        {
          selector:
            "CallExpression[callee.name='defineField'] Property[key.name='write'] > ArrowFunctionExpression[returnType=undefined]",
          message: 'Declare what `write` returns, or the portal may ignore fields.',
        },
      ],
    },
  },
  ...featureTiers,
  forbidImports(['src/components/**'], ['app', 'features']),
  forbidImports(['src/api/**', 'src/device/**'], ['app', 'features', 'components']),
  forbidImports(['src/lib/**'], ['app', 'features', 'components', 'api', 'device']),
  forbidImports(['src/contract/**'], ['app', 'features', 'components', 'api', 'device', 'lib']),
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
