/**
 * The script of a person's seat: requests the list of entities, and then draws whatever the store contains.
 */
import { render } from 'preact';
import { restoreTheme } from '../view/page/theme.js';
import { Seat } from './seat.js';
import { SeatStore } from './seat-store.js';
import { takeToken } from './token.js';

restoreTheme();
document.body.replaceChildren();
const store: SeatStore = new SeatStore(takeToken(), (state) =>
  render(<Seat store={store} state={state} />, document.body),
);
store.open();
