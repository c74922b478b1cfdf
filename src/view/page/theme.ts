/**
 * Light or dark: the system's setting, unless the reader chose. The choice is stored if the browser lets the
 * page store anything.
 */
const THEMES = ['system', 'light', 'dark'] as const;
const KEY = 'orchestrate-theme';

type Theme = (typeof THEMES)[number];

/** As it was chosen before. */
export function restoreTheme(): void {
  const stored = readStoredTheme();
  applyTheme(THEMES.find((one) => one === stored) ?? 'system');
}

/** The next one of the three, by its name. */
export function nextTheme(): Theme {
  const current = THEMES.findIndex((one) => one === document.documentElement.dataset['theme']);
  const next = THEMES[(current + 1) % THEMES.length] ?? 'system';
  applyTheme(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A page from disk may have nowhere to keep it.
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
