/** The arrow keys move in a direction, unless the person is using them to type or to choose. */
import { useEffect } from 'preact/hooks';
import type { SeatStore } from './seat-store.js';
import type { SeatState } from './state.js';
import { commandTowards } from './walking.js';

const DIRECTIONS: Readonly<Record<string, string>> = {
  ArrowUp: 'north',
  ArrowRight: 'east',
  ArrowDown: 'south',
  ArrowLeft: 'west',
};

export function useArrows(store: SeatStore, { observation, end }: SeatState): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const direction = DIRECTIONS[event.key];
      if (direction === undefined || observation === null || end !== null || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea') !== null) return;
      event.preventDefault();
      const command = commandTowards(observation, direction);
      if (command === null) store.show({ tone: 'bad', text: `You can’t go ${direction} from here.` });
      else void store.act(command);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, observation, end]);
}
