import { expect, it } from 'vitest';

import { htmlToText } from './html';

it.each([
  ['<p>Fasting <b>since</b> midnight.</p>', 'Fasting since midnight.'],
  ['<h3>Diagnosis</h3><p>Benign<br>nevus.</p>', 'Diagnosis Benign nevus.'],
  ['<ul><li>A &amp; B</li><li>C</li></ul>', 'A & B C'],
  ['', ''],
])('reads %j', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});
