/**
 * A getComputedStyle for pages without style sheets. Queries by role ask for the style of every
 * element, and jsdom's own function matches each rule of the browser's style sheet against each
 * element, which would take a third of the time of all tests.
 */

const computeStyle = window.getComputedStyle.bind(window);

/** Attributes that change the display of an element in the browser's own style sheet. */
const DISPLAY_ATTRIBUTES = ['hidden', 'open', 'type'];

const displays = new Map<string, string>();

/** Returns the display that the browser's own style sheet gives to elements like this one. */
function findDefaultDisplay(element: Element): string {
  const attributes = DISPLAY_ATTRIBUTES.filter((name) => element.hasAttribute(name));
  const key = [
    element.localName,
    ...attributes.map((name) => `${name}=${element.getAttribute(name)}`),
  ];
  let display = displays.get(key.join());
  if (display === undefined) {
    const sample = document.createElementNS(element.namespaceURI, element.localName);
    for (const name of attributes) sample.setAttribute(name, element.getAttribute(name) ?? '');
    display = computeStyle(sample).display;
    displays.set(key.join(), display);
  }
  return display;
}

type StyledElement = HTMLElement | SVGElement;

function findInherited(element: Element, name: 'visibility' | 'pointerEvents', initial: string) {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const value = (at as StyledElement).style[name];
    if (value && value !== 'inherit') return value;
  }
  return initial;
}

function findProperty(element: Element, name: string | symbol): string | undefined {
  switch (name) {
    case 'display':
      return (element as StyledElement).style.display || findDefaultDisplay(element);
    case 'visibility':
      return findInherited(element, 'visibility', 'visible');
    case 'pointerEvents':
    case 'pointer-events':
      return findInherited(element, 'pointerEvents', 'auto');
    default:
      return undefined;
  }
}

/** Returns the style of an element; what queries by role do not need comes from jsdom. */
export function getQuickStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  if (pseudo) return computeStyle(element, pseudo);
  let computedStyle: CSSStyleDeclaration | undefined;
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') {
        return (property: string) =>
          findProperty(element, property) ?? computeStyle(element).getPropertyValue(property);
      }
      const quick = findProperty(element, name);
      if (quick !== undefined) return quick;
      computedStyle ??= computeStyle(element);
      const value: unknown = Reflect.get(computedStyle, name);
      return typeof value === 'function' ? (value as () => unknown).bind(computedStyle) : value;
    },
  });
}
