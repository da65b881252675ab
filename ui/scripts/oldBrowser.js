/* global document */
/* Browsers that lack `Object.hasOwn` lack the rest of what the build needs, too (ES2022). */
if (typeof Object.hasOwn !== 'function') {
  document.querySelector('[role=status]').textContent = 'OLD_BROWSER';
}
