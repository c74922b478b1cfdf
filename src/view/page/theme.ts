/**
 * Light or dark: the system's setting, unless the reader chose. The choice is stored if the browser lets the
 * page store anything.
 */
const THEMES = ['system', 'light', 'dark'] as const;
const KEY = 'orchestrate-theme';

type Theme = (typeof THEMES)[number];

/** As it was chosen before. */
export function restoreTheme(): void {
  const kept = readKept();
  wear(THEMES.find((one) => one === kept) ?? 'system');
}

/** The next one of the three, by its name. */
export function nextTheme(): Theme {
  const now = THEMES.findIndex((one) => one === document.documentElement.dataset['theme']);
  const next = THEMES[(now + 1) % THEMES.length] ?? 'system';
  wear(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A page from disk may have nowhere to keep it.
  }
  return next;
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function wear(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
