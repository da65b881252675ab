import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { RichTextView } from './RichTextView';

describe('RichTextView', () => {
  it('shows headings, emphasis and lists', () => {
    render(
      <RichTextView html='<h3>Diagnosis</h3><p><strong>Nevus</strong> &amp; scar<br>clear</p><ol start="3"><li>one</li></ol>' />,
    );
    expect(screen.getByRole('heading', { name: 'Diagnosis', level: 3 })).toBeVisible();
    expect(screen.getByText('Nevus').tagName).toBe('STRONG');
    expect(screen.getByText(/& scar/)).toBeVisible();
    expect(screen.getByRole('list')).toHaveAttribute('start', '3');
    expect(screen.getByRole('listitem')).toHaveTextContent('one');
  });

  it('keeps the words of unknown tags and none of their effects', () => {
    const { container } = render(
      <RichTextView html='<p onclick="x()">Read <img src="x" onerror="x()"><blink>this</blink></p>' />,
    );
    expect(container).toHaveTextContent('Read this');
    expect(container.querySelector('img, blink, [onclick]')).toBeNull();
  });

  it.each(['javascript:x()', 'data:text/html,x', '//evil.example'])(
    'does not link to %s',
    (link) => {
      render(<RichTextView html={`<a href="${link}">here</a>`} />);
      expect(screen.getByText('here')).not.toHaveAttribute('href');
    },
  );

  it('opens web links in another tab', () => {
    render(<RichTextView html='<a href="https://demo.lab">atlas</a>' />);
    const link = screen.getByRole('link', { name: 'atlas' });
    expect(link).toHaveAttribute('href', 'https://demo.lab');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  });
});
