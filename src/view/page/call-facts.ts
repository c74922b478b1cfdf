/**
 * What the page says about a call next to its title: who answered, to what, how fast and with how many
 * tokens.
 */
import type { PageCall } from '../page-data.js';

/** Joined by dots; unknown facts are left out. */
export function factsOf({ reply, player, attempt, purpose }: PageCall): string {
  const facts = [
    player,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(purpose === 'act' ? [] : [purpose]),
  ];
  if (reply.kind !== 'replied') return facts.join(' · ');
  const { model, finish, latencyMs, promptTokens, completionTokens, answeredTurn } = reply;
  if (answeredTurn !== null) facts.push(`to the observation of turn ${answeredTurn}`);
  if (model !== null && model !== player) facts.push(model);
  if (latencyMs > 0) facts.push(`${(latencyMs / 1000).toFixed(1)} s`);
  if (promptTokens !== null) facts.push(`tokens ${promptTokens} + ${completionTokens ?? '?'}`);
  if (finish !== null && finish !== 'stop') facts.push(finish);
  return facts.join(' · ');
}
