/**
 * Leaves out of Blueprint's style sheet what the portal draws nothing with: the font of its icons
 * (ours are drawings) and components that no screen uses. Whoever imports one of them is told which
 * line to take out here.
 */
import postcss from 'postcss';
import type { Plugin } from 'vite';

/** Components that are left out, by the name of their import, and the classes that they alone need. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  Alert: ['alert'],
  Blockquote: ['blockquote'],
  Breadcrumb: ['breadcrumb', 'breadcrumb-current'],
  Breadcrumbs: ['breadcrumbs', 'breadcrumbs-collapsed', 'overflow-list'],
  Card: ['card', 'elevation-\\d'],
  CardList: ['card-list'],
  CheckboxCard: ['control-card'],
  Code: ['code'],
  Collapse: ['collapse'],
  CompoundTag: ['compound-tag'],
  EditableText: ['editable-text'],
  EntityTitle: ['entity-title'],
  FileInput: ['file-input', 'file-upload', 'file-upload-input'],
  HTMLTable: ['html-table'],
  Link: ['link'],
  MultistepDialog: ['multistep-dialog', 'dialog-step'],
  Navbar: ['navbar'],
  PanelStack: ['panel-stack'],
  Pre: ['code-block'],
  RadioCard: ['control-card'],
  RangeSlider: ['slider'],
  Section: ['section'],
  SegmentedControl: ['segmented-control'],
  Slider: ['slider'],
  SwitchCard: ['control-card'],
  TagInput: ['tag-input', 'input-ghost', 'resizable-input-span'],
  Tree: ['tree'],
  UL: ['list'],
};
/** Classes without a component of their own that nothing here is given. */
const WITHOUT_COMPONENT = ['running-text', 'select', 'rtl', 'submenu'];
const ICON_FONT = /\.bp6-icon-[a-z0-9-]+:{1,2}before/;

const names = [...Object.values(UNUSED).flat(), ...WITHOUT_COMPONENT].join('|');
const unused = new RegExp(`\\.bp6-(${names})(?![a-z0-9])`);
const isLeftOut = (selector: string): boolean => unused.test(selector) || ICON_FONT.test(selector);

const isKeyframe = ({ parent }: postcss.Rule): boolean =>
  parent?.type === 'atrule' && (parent as postcss.AtRule).name.endsWith('keyframes');

/** The style sheet without the rules that only unused components need. */
export function prune(css: string): string {
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    if (isKeyframe(rule)) return;
    const rest = rule.selectors.filter((selector) => !isLeftOut(selector));
    if (rest.length === 0) rule.remove();
    else if (rest.length < rule.selectors.length) rule.selectors = rest;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*'@blueprintjs\/core'/g;

/** The unused components that a source file imports. */
export const unstyledIn = (code: string): string[] =>
  [...code.matchAll(IMPORT)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name in UNUSED);

/** The plugin of the build. */
export const blueprintCss = (): Plugin => ({
  name: 'blueprint-css',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/@blueprintjs/core/lib/css/blueprint.css')) return prune(code);
    if (id.includes('/node_modules/')) return null;
    const [name] = unstyledIn(code);
    if (name) this.error(`${name} has no style: take its line out of scripts/blueprintCss.ts`);
    return null;
  },
});
