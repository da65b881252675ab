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

const draw = async (start = '', disabled = false) => {
  const portal = await renderPortal(<Sample start={start} disabled={disabled} />);
  const text = await screen.findByRole('textbox', { name: 'Note' });
  return { ...portal, text, html: () => screen.getByRole('status', { name: 'HTML' }).textContent };
};
const tool = (name: string) => screen.getByRole('button', { name });

describe('Rich text', () => {
  it('is typed and formatted', async () => {
    const { user, text, html } = await draw();
    await user.click(text);
    await user.paste('Fragile');
    await user.keyboard('{Control>}a{/Control}');
    await user.click(tool('Bold'));
    expect(tool('Bold')).toHaveAttribute('aria-pressed', 'true');
    await user.click(tool('Bulleted list'));
    expect(html()).toBe('<ul><li><p><strong>Fragile</strong></p></li></ul>');
    await user.click(tool('Undo'));
    expect(html()).toBe('<p><strong>Fragile</strong></p>');
  });

  it('is reached and formatted by the keyboard alone, and Tab leaves it', async () => {
    const { user, text, html } = await draw('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
    await user.tab();
    expect(tool('Bold')).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(tool('Underline')).toHaveFocus();
    await user.keyboard('{End}{ArrowRight}{ArrowLeft}');
    expect(tool('Redo')).toHaveFocus();
    await user.tab();
    expect(text).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Replace' })).toHaveFocus();
    expect(html()).toBe('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
  });

  it('comes back exactly as it came when a change is taken back', async () => {
    const { user, text, html } = await draw('a &lt; b');
    expect(text).toHaveTextContent('a < b');
    await user.click(text);
    await user.click(tool('Bulleted list'));
    expect(html()).toMatch(/^<ul>/);
    await user.click(tool('Bulleted list'));
    expect(html()).toBe('a &lt; b');
  });

  it('follows a form that is put back', async () => {
    const { user, text } = await draw('<p>one</p>');
    await user.click(tool('Replace'));
    expect(text).toHaveTextContent('other');
  });

  it('is only read where it may not be changed', async () => {
    const { text } = await draw('<p><strong>Done</strong></p>', true);
    expect(text).toHaveTextContent('Done');
    expect(text).toHaveAttribute('contenteditable', 'false');
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  });
});

describe('The editor of a busy or hidden page', () => {
  /** Longer than an editor that no page holds is kept. */
  const LONG_MS = 50;
  const props = { label: 'Note', value: '<p>Fragile</p>', onChange: () => undefined };
  const input = {
    id: 'note',
    'aria-invalid': undefined,
    'aria-required': undefined,
    'aria-describedby': undefined,
  };
  const words = () => screen.findByText('Fragile');

  afterEach(() => vi.useRealTimers());

  it('shows its words when the page takes long between drawing and showing it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    function Busy() {
      useLayoutEffect(() => void vi.advanceTimersByTime(LONG_MS), []);
      return <RichTextEditor {...props} input={input} />;
    }
    await renderPortal(<Busy />);
    expect(await words()).toBeVisible();
  });

  it('shows its words when the page is shown again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    function Hidden() {
      const [hidden, setHidden] = useState(false);
      return (
        <>
          <button onClick={() => setHidden(!hidden)}>Hide or show</button>
          <Activity mode={hidden ? 'hidden' : 'visible'}>
            <RichTextEditor {...props} input={input} />
          </Activity>
        </>
      );
    }
    await renderPortal(<Hidden />);
    const toggle = screen.getByRole('button', { name: 'Hide or show' });
    act(() => toggle.click());
    act(() => void vi.advanceTimersByTime(LONG_MS));
    act(() => toggle.click());
    expect(await words()).toBeVisible();
    await userEvent.click(tool('Bold'));
  });
});

describe('The editor and the portal agree', () => {
  const spelled = (html: string) => new Editor({ extensions, content: html }).getHTML();
  const places: Readonly<Record<string, string>> = {
    li: '<ul><li><p>x</p></li></ul>',
    ul: '<ul><li><p>x</p></li></ul>',
    ol: '<ol start="3"><li><p>x</p></li></ol>',
    br: '<p>x<br>y</p>',
    hr: '<p>x</p><hr>',
    a: '<p><a href="https://lab.org">x</a></p>',
    pre: '<pre><code>x</code></pre>',
    blockquote: '<blockquote><p>x</p></blockquote>',
  };
  const inPlace = (tag: string) =>
    places[tag] ?? (/^(p|h\d)$/.test(tag) ? `<${tag}>x</${tag}>` : `<p><${tag}>x</${tag}></p>`);

  it.each(choices.RICH_TEXT_TAGS.filter((tag) => tag !== 'b' && tag !== 'i'))(
    'that %s is kept',
    (tag) => {
      const html = inPlace(tag);
      expect(spelled(html).replace(/ rel="[^"]*"/, '')).toBe(html);
    },
  );

  it.each([
    ['b', 'strong'],
    ['i', 'em'],
  ])('that %s is another spelling of %s', (tag, other) => {
    expect(spelled(inPlace(tag))).toBe(inPlace(other));
  });

  it.each(['<p><script>x</script>y</p>', '<p onclick="x()">y</p>', '<p><img src=x>y</p>'])(
    'that %s leaves the words',
    (html) => {
      expect(spelled(html)).toMatch(/^<p>x?y<\/p>$/);
    },
  );

  it('that a link never runs anything', () => {
    expect(spelled('<p><a href="javascript:alert(1)">x</a></p>')).not.toContain('javascript');
  });
});
