/** The arrow keys move in a direction, unless the person is using them to type or to choose. */
import { useEffect } from 'preact/hooks';
import type { SeatStore } from './seat-store.js';
import type { SeatState } from './state.js';
import { commandTowards } from './walking.js';

const WAYS: Readonly<Record<string, string>> = {
  ArrowUp: 'north',
  ArrowRight: 'east',
  ArrowDown: 'south',
  ArrowLeft: 'west',
};

export function useArrows(store: SeatStore, { seen, end }: SeatState): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const way = WAYS[event.key];
      if (way === undefined || seen === null || end !== null || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea') !== null) return;
      event.preventDefault();
      const command = commandTowards(seen, way);
      if (command === null) store.say({ tone: 'bad', words: `You can’t go ${way} from here.` });
      else void store.act(command);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, seen, end]);
}
