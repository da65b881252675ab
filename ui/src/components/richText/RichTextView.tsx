import { createElement, Fragment, type ReactNode } from 'react';

import { choices } from '../../contract';
import { findFontSize } from './fontSize';
import styles from './richText.module.css';

const TAGS: ReadonlySet<string> = new Set(choices.RICH_TEXT_TAGS);
const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'hr']);
const SAFE_LINK = /^(?:https?|mailto|tel):/i;

/** Returns React nodes for the parsed nodes; an unknown tag is replaced by its content. */
function renderNodes(nodes: Iterable<ChildNode>): ReactNode[] {
  return [...nodes].map((node, index) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (!(node instanceof Element)) return null;
    const tag = node.tagName.toLowerCase();
    if (VOID_TAGS.has(tag)) return createElement(tag, { key: index });
    const content = renderNodes(node.childNodes);
    return TAGS.has(tag) ? (
      createElement(tag, { key: index, ...getAttributes(tag, node) }, ...content)
    ) : (
      <Fragment key={index}>{content}</Fragment>
    );
  });
}

function getAttributes(tag: string, node: Element): Record<string, unknown> {
  const link = node.getAttribute('href') ?? '';
  if (tag === 'a' && SAFE_LINK.test(link)) {
    return { href: link, target: '_blank', rel: 'noopener noreferrer nofollow' };
  }
  if (tag === 'span') {
    const points = findFontSize(node);
    return points === undefined ? {} : { style: { fontSize: `${points}pt` } };
  }
  const start = Number(node.getAttribute('start') ?? 1);
  return tag === 'ol' && Number.isInteger(start) ? { start } : {};
}

/**
 * Formatted text, built only from the tags of `RICH_TEXT_TAGS`. The portal has sanitized it, but a
 * page that never inserts HTML is safe even without that.
 */
export function RichTextView({ html, className }: { html: string; className?: string }) {
  const parsedDocument = new DOMParser().parseFromString(html, 'text/html');
  return (
    <div className={`${styles['view']} ${className ?? ''}`}>
      {renderNodes(parsedDocument.body.childNodes)}
    </div>
  );
}
