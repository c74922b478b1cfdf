/** The script of a person's seat: opens the list of entities, and draws whatever the store shows from then on. */
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
