import { afterEach, describe, expect, it } from 'vitest';

import { disableContextMenu } from './contextMenu';

let stop: () => void = () => undefined;

/** Returns whether the browser's menu opens on the element. */
function openMenu(html: string, selector: string, { isSelected = false } = {}): boolean {
  document.body.innerHTML = html;
  stop = disableContextMenu();
  const element = document.querySelector(selector) ?? document.body;
  document.getSelection()?.removeAllRanges();
  if (isSelected) document.getSelection()?.selectAllChildren(element);
  return element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
}

afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

describe('The right mouse button', () => {
  it.each([
    ['plain text', '<p>Glucose</p>', 'p'],
    ['a button', '<button>Save</button>', 'button'],
    ['a picture', '<img alt="">', 'img'],
  ])('opens no menu on %s', (_, html, selector) => {
    expect(openMenu(html, selector)).toBe(false);
  });

  it.each([
    ['in a text field', '<input>', 'input'],
    ['in a text area', '<textarea></textarea>', 'textarea'],
    ['in rich text', '<div contenteditable="true"><p>Call</p></div>', 'p'],
    ['on a link', '<a href="/x"><span>Order</span></a>', 'span'],
  ])('opens the menu %s', (_, html, selector) => {
    expect(openMenu(html, selector)).toBe(true);
  });

  it('opens the menu on selected text', () => {
    expect(openMenu('<p>Glucose</p>', 'p', { isSelected: true })).toBe(true);
  });
});
