/** Elements of the page. Whatever a log says becomes text here and nothing else: no markup is ever read from it. */

type Child = Node | string | null;

/** An element with attributes and children; texts become text nodes. An attribute that is null is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: readonly Child[]
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

/** A button with words, told to readers as `label` where its face is a sign. */
export function button(
  face: string,
  label: string,
  key: string | null,
  onPress: () => void,
): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', 'aria-label': label, title: key === null ? label : `${label} (${key})` },
    face,
  );
  if (key !== null) made.setAttribute('aria-keyshortcuts', key);
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
