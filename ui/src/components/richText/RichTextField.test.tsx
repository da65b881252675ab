import { Editor } from '@tiptap/core';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity, useLayoutEffect, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { choices } from '../../contract';
import { renderPortal } from '../../test/render';
import { extensions } from './extensions';
import RichTextEditor from './RichTextEditor';
import { RichTextField } from './RichTextField';

function Sample({ start = '', disabled = false }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <RichTextField label="Note" value={value} onChange={setValue} disabled={disabled} />
      <output aria-label="HTML">{value}</output>
      <button onClick={() => setValue('<p>other</p>')}>Replace</button>
    </>
  );
}

const renderField = async (start = '', disabled = false) => {
  const portal = await renderPortal(<Sample start={start} disabled={disabled} />);
  const text = await screen.findByRole('textbox', { name: 'Note' });
  return {
    ...portal,
    text,
    getHtml: () => screen.getByRole('status', { name: 'HTML' }).textContent,
  };
};
const getTool = (name: string) => screen.getByRole('button', { name });

describe('Rich text', () => {
  it('can be typed and formatted', async () => {
    const { user, text, getHtml } = await renderField();
    await user.click(text);
    await user.paste('Fragile');
    await user.keyboard('{Control>}a{/Control}');
    await user.click(getTool('Bold'));
    expect(getTool('Bold')).toHaveAttribute('aria-pressed', 'true');
    await user.click(getTool('Bulleted list'));
    expect(getHtml()).toBe('<ul><li><p><strong>Fragile</strong></p></li></ul>');
    await user.click(getTool('Undo'));
    expect(getHtml()).toBe('<p><strong>Fragile</strong></p>');
  });

  it('can have headers and font sizes', async () => {
    const { user, text, getHtml } = await renderField('<p>Fragile</p>');
    await user.click(text);
    await user.keyboard('{Control>}a{/Control}');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Note header' }), 'Header 2');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Note font size' }), '18 pt');
    expect(getHtml()).toBe('<h2><span style="font-size: 18pt;">Fragile</span></h2>');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Note font size' }), 'Size');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Note header' }), 'Text');
    expect(getHtml()).toBe('<p>Fragile</p>');
  });

  it('has tools that the keyboard reaches, and is left by Tab', async () => {
    const { user, text, getHtml } = await renderField(
      '<ul><li><p>one</p></li><li><p>two</p></li></ul>',
    );
    await user.tab();
    expect(screen.getByRole('combobox', { name: 'Note header' })).toHaveFocus();
    await user.tab();
    await user.tab();
    expect(getTool('Bold')).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(getTool('Underline')).toHaveFocus();
    await user.keyboard('{End}{ArrowRight}{ArrowLeft}');
    expect(getTool('Redo')).toHaveFocus();
    await user.tab();
    expect(text).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Replace' })).toHaveFocus();
    expect(getHtml()).toBe('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
  });

  it('returns the original HTML when a change is reverted', async () => {
    const { user, text, getHtml } = await renderField('a &lt; b');
    expect(text).toHaveTextContent('a < b');
    await user.click(text);
    await user.click(getTool('Bulleted list'));
    expect(getHtml()).toMatch(/^<ul>/);
    await user.click(getTool('Bulleted list'));
    expect(getHtml()).toBe('a &lt; b');
  });

  it('follows a reset of the form', async () => {
    const { user, text } = await renderField('<p>one</p>');
    await user.click(getTool('Replace'));
    expect(text).toHaveTextContent('other');
  });

  it('is read-only when disabled', async () => {
    const { text } = await renderField('<p><strong>Done</strong></p>', true);
    expect(text).toHaveTextContent('Done');
    expect(text).toHaveAttribute('contenteditable', 'false');
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  });
});

describe('The editor of a busy or hidden page', () => {
  /** Longer than an unmounted editor survives. */
  const LONG_MS = 50;
  const props = { label: 'Note', value: '<p>Fragile</p>', onChange: () => undefined };
  const input = {
    id: 'note',
    'aria-invalid': undefined,
    'aria-required': undefined,
    'aria-describedby': undefined,
  };
  const findText = () => screen.findByText('Fragile');

  afterEach(() => vi.useRealTimers());

  it('shows its text when rendering takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    function BusyPage() {
      useLayoutEffect(() => void vi.advanceTimersByTime(LONG_MS), []);
      return <RichTextEditor {...props} input={input} />;
    }
    await renderPortal(<BusyPage />);
    expect(await findText()).toBeVisible();
  });

  it('shows its text when the page is shown again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    function HidingPage() {
      const [isHidden, setIsHidden] = useState(false);
      return (
        <>
          <button onClick={() => setIsHidden(!isHidden)}>Hide or show</button>
          <Activity mode={isHidden ? 'hidden' : 'visible'}>
            <RichTextEditor {...props} input={input} />
          </Activity>
        </>
      );
    }
    await renderPortal(<HidingPage />);
    const toggle = screen.getByRole('button', { name: 'Hide or show' });
    act(() => toggle.click());
    act(() => void vi.advanceTimersByTime(LONG_MS));
    act(() => toggle.click());
    expect(await findText()).toBeVisible();
    await userEvent.click(getTool('Bold'));
  });
});

describe('HTML of the editor and the portal', () => {
  const normalizeHtml = (html: string) => new Editor({ extensions, content: html }).getHTML();
  const samples: Readonly<Record<string, string>> = {
    li: '<ul><li><p>x</p></li></ul>',
    ul: '<ul><li><p>x</p></li></ul>',
    ol: '<ol start="3"><li><p>x</p></li></ol>',
    br: '<p>x<br>y</p>',
    hr: '<p>x</p><hr>',
    a: '<p><a href="https://lab.org">x</a></p>',
    pre: '<pre><code>x</code></pre>',
    blockquote: '<blockquote><p>x</p></blockquote>',
    span: '<p><span style="font-size: 14pt;">x</span></p>',
  };
  const buildSample = (tag: string) =>
    samples[tag] ?? (/^(p|h\d)$/.test(tag) ? `<${tag}>x</${tag}>` : `<p><${tag}>x</${tag}></p>`);

  it.each(choices.RICH_TEXT_TAGS.filter((tag) => tag !== 'b' && tag !== 'i'))('keeps %s', (tag) => {
    const html = buildSample(tag);
    expect(normalizeHtml(html).replace(/ rel="[^"]*"/, '')).toBe(html);
  });

  it.each([
    ['b', 'strong'],
    ['i', 'em'],
  ])('converts %s to %s', (tag, other) => {
    expect(normalizeHtml(buildSample(tag))).toBe(buildSample(other));
  });

  it.each(['<p><script>x</script>y</p>', '<p onclick="x()">y</p>', '<p><img src=x>y</p>'])(
    'keeps only the text of %s',
    (html) => {
      expect(normalizeHtml(html)).toMatch(/^<p>x?y<\/p>$/);
    },
  );

  it('removes scripts from links', () => {
    expect(normalizeHtml('<p><a href="javascript:alert(1)">x</a></p>')).not.toContain('javascript');
  });
});
