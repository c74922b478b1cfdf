/** Elements of the page. Whatever a log says becomes text here and nothing else: no markup is ever read from it. */

type ElementChild = Node | string | null;

/** An element with attributes and children; texts become text nodes. An attribute that is null is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: readonly ElementChild[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Says the same again only where it differs, so that a reader aloud is not told twice. */
export function say(place: Element, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

/** Signs on buttons as shapes, since fonts lack many of them: paths in a square of 16 units. */
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

/** A sign by itself, which readers aloud pass over. */
export function signOf(sign: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const drawn = document.createElementNS(space, 'svg');
  drawn.setAttribute('viewBox', '0 0 16 16');
  drawn.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', SHAPES[sign]);
  path.setAttribute('fill-rule', 'evenodd');
  drawn.append(path);
  return drawn;
}

/** Gives a button another sign and name. */
export function face(target: HTMLButtonElement, sign: IconName, label: string): void {
  if (target.dataset['sign'] === sign) return;
  target.dataset['sign'] = sign;
  target.setAttribute('aria-label', label);
  target.replaceChildren(signOf(sign));
}

/** A button with a sign, told to readers as `label`; `key` does the same. */
export function button(
  sign: IconName,
  label: string,
  key: string | null,
  onPress: () => void,
): HTMLButtonElement {
  const title = key === null ? label : `${label} (${key})`;
  const made = element('button', { type: 'button', title, 'aria-keyshortcuts': key });
  face(made, sign, label);
  made.addEventListener('click', onPress);
  return made;
}

/** A choice in a list; gives back how to offer other things. */
export function choice(label: string, onChoose: (value: string) => void) {
  const made = element('select', { 'aria-label': label });
  made.addEventListener('change', () => onChoose(made.value));
  let filled = '';
  return {
    element: made,
    offer: (options: readonly (readonly [value: string, text: string])[], value: string) => {
      const key = JSON.stringify(options);
      if (key !== filled) {
        made.replaceChildren(...options.map(([of, text]) => element('option', { value: of }, text)));
        filled = key;
      }
      made.value = value;
    },
  };
}
