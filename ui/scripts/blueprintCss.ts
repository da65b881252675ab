/**
 * Adapts Blueprint's style sheets. Removes the rules that the portal does not need: the icon font
 * (our icons are SVG components) and components that no screen uses. Importing one of those
 * components fails the build with a message that names the line to remove here. Replaces
 * Blueprint's blue with the lab's accent color.
 */
import postcss from 'postcss';
import type { Plugin } from 'vite';

/** Unused components by import name, each with the classes that only it needs. */
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
/** Unused classes that belong to no component. */
const WITHOUT_COMPONENT = [
  'running-text',
  'select',
  'rtl',
  'submenu',
  'menu-item-selected-icon',
  'tag-remove',
];
const ICON_FONT =
  /\.bp6-icon-[a-z0-9-]+:{1,2}before|\[class\*=['"]?bp6-icon-|bp6-icon(-standard|-large)?:empty|span\.bp6-icon-(standard|large)$|\.bp6-menu-item:{1,2}before|\.bp6-tag-remove:empty/;

const names = [...Object.values(UNUSED).flat(), ...WITHOUT_COMPONENT].join('|');
const unusedClass = new RegExp(`\\.bp6-(${names})(?![a-z0-9])`);
const isUnused = (selector: string): boolean =>
  unusedClass.test(selector) || ICON_FONT.test(selector);

const isKeyframe = ({ parent }: postcss.Rule): boolean =>
  parent?.type === 'atrule' && (parent as postcss.AtRule).name.endsWith('keyframes');

/** Returns the style sheet without the rules that only unused components need. */
export function pruneCss(css: string): string {
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    if (isKeyframe(rule)) return;
    const rest = rule.selectors.filter((selector) => !isUnused(selector));
    if (rest.length === 0) rule.remove();
    else if (rest.length < rule.selectors.length) rule.selectors = rest;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}

/** Blueprint's blues, dark to light, and the lab's teal of the same lightness. */
const ACCENT = [
  ['#184a90', '#0a4a59'],
  ['#215db0', '#0c586a'],
  ['#2d72d2', '#0f6b80'],
  ['#4c90f0', '#14788f'],
  ['#8abbff', '#5fc3d0'],
] as const;

const toChannels = (hex: string): string =>
  [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(', ');

/** Returns the style sheet in the accent color: links, switches, focus, selections, tabs. */
export const recolorCss = (css: string): string =>
  ACCENT.reduce(
    (text, [blue, teal]) =>
      text.replaceAll(blue, teal).replaceAll(`(${toChannels(blue)},`, `(${toChannels(teal)},`),
    css,
  );

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*'@blueprintjs\/core'/g;

/** Returns the unused components that a source file imports. */
export const findUnstyledImports = (code: string): string[] =>
  [...code.matchAll(IMPORT)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name in UNUSED);

/** The Vite plugin. */
export const blueprintCss = (): Plugin => ({
  name: 'blueprint-css',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/@blueprintjs/core/lib/css/blueprint.css')) return recolorCss(pruneCss(code));
    if (/\/@blueprintjs\/[^/]+\/lib\/css\//.test(id)) return recolorCss(code);
    if (id.includes('/node_modules/')) return null;
    const [name] = findUnstyledImports(code);
    if (name) this.error(`${name} has no styles: remove its line from scripts/blueprintCss.ts`);
    return null;
  },
});
