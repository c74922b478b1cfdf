/**
 * Light or dark: the system's setting, unless the reader chose. The choice is stored if the browser lets the
 * page store anything.
 */
const THEMES = ['system', 'light', 'dark'] as const;
const KEY = 'orchestrate-theme';

type Theme = (typeof THEMES)[number];

/** Applies the stored choice. */
export function restoreTheme(): void {
  const stored = readStoredTheme();
  applyTheme(THEMES.find((one) => one === stored) ?? 'system');
}

/** Switches to the next of the three themes and returns its name. */
export function nextTheme(): Theme {
  const current = THEMES.findIndex((one) => one === document.documentElement.dataset['theme']);
  const next = THEMES[(current + 1) % THEMES.length] ?? 'system';
  applyTheme(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The browser may not let a page from disk store anything.
  }
  return next;
}

function readStoredTheme(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
