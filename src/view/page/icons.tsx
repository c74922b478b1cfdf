/** Small parts that are used all over the page: icons, buttons with icons, lists to choose from. */
import type { JSX } from 'preact';

/** Icons as paths in a square of 16 units, because fonts lack many of them. */
const SHAPES = {
  first: 'M3 2h2v12H3z M14 2v12L6 8z',
  back: 'M12 2v12L4 8z',
  play: 'M4 2v12l9-6z',
  pause: 'M3 2h4v12H3z M9 2h4v12H9z',
  next: 'M4 2v12l8-6z',
  last: 'M2 2v12l8-6z M11 2h2v12h-2z',
  beside: 'M1 2h14v12H1z M3 4v8h4V4z M9 4v8h4V4z',
  accept: 'M6.200 12.800 1.500 8.100l1.900-1.900 2.800 2.800 6.400-6.400 1.900 1.900z',
  reject:
    'M3.500 1.600 8 6.100l4.500-4.500 1.900 1.900L9.900 8l4.500 4.500-1.900 1.900L8 9.900l-4.500 4.500-1.900-1.900L6.100 8 1.600 3.500z',
  correct:
    'M11.500 1.200l3.300 3.300-1.900 1.900-3.300-3.300z M8.700 4l3.300 3.300-6.700 6.700L1.200 14.800 2 10.700z',
  theme: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z M8 3a5 5 0 0 1 0 10z',
  help: 'M8 1a4.5 4.5 0 0 0-4.5 4.5h2.2a2.3 2.3 0 1 1 3.4 2C7.7 8.300 6.900 9 6.900 10.800h2.200c0-1 .4-1.300 1.500-2A4.500 4.500 0 0 0 8 1z M6.800 12.500h2.400V15H6.800z',
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon, which screen readers ignore. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} fill-rule="evenodd" />
    </svg>
  );
}

interface IconButtonProps {
  icon: IconName;
  /** The text for screen readers. */
  label: string;
  /** The key that does the same. */
  shortcut: string;
  isPressed?: boolean;
  class?: string;
  onPress: () => void;
}

export function IconButton({ icon, label, shortcut, isPressed, class: name, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      class={name}
      title={`${label} (${shortcut})`}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  value: string;
  hidden?: boolean;
  onChoose: (value: string) => void;
}

/** A drop-down list. */
export function Choice({ label, options, value, hidden = false, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={label}
      hidden={hidden}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options.map(([of, text]) => (
        <option key={of} value={of}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Joins class names; false and '' are left out. */
export function classes(...names: readonly (string | false)[]): string {
  return names.filter((name) => name !== false && name !== '').join(' ');
}
