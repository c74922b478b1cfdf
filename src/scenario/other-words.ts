/**
 * Synonyms of scenario keys, as people familiar with other formats write them, for suggestions only. A word
 * may stand for several keys: `says` of a note is its `text`, `says` of a condition is `said`. The keys that
 * are valid at its position decide.
 */

/** The synonyms of each key, separated by spaces. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  agents: 'players characters actors bots',
  aliases: 'synonyms other_names names',
  area: 'rect rectangle bounds box size region',
  at: 'position pos place location coords coordinates xy start where tile',
  attempts: 'retries tries',
  base_url: 'url endpoint host address api_base api_url uri',
  behaviour: 'ai does movement',
  blocking: 'solid blocks obstacle',
  closes_after: 'timer auto_close autoclose',
  controller: 'player brain policy played_by',
  description: 'desc info details look examine text',
  doors: 'exits gates',
  every: 'speed interval',
  failure: 'lose loss lost defeat game_over',
  generate: 'random procedural generator',
  goals: 'objective objectives task tasks mission aim aims',
  has_read: 'read reads',
  held_by: 'holder owner carried_by held holds inventory_of',
  holds: 'has have carries holding owns inventory',
  if: 'condition conditions provided requires',
  in: 'inside container contained_in stored_in',
  in_room: 'room enters entered inside',
  key: 'requires needs unlocked_by opened_by opens_with unlock_with',
  kind: 'type class category',
  legend: 'symbols tiles',
  map: 'grid layout level tilemap',
  max: 'maximum limit at_most max_turns turns_max steps max_steps',
  max_tokens: 'tokens max_output_tokens max_completion_tokens',
  memory: 'history context',
  model: 'name model_name model_id',
  models: 'llms llm vlm servers',
  name: 'title label called display_name',
  npcs: 'monsters creatures enemies mobs animals',
  opaque: 'blocks_sight blocks_vision blocks_view',
  order: 'mode turn_order',
  persona: 'role character personality system prompt system_prompt backstory background bio',
  portable: 'takeable carryable pickup movable',
  protocol: 'format reply_format output',
  pushable: 'movable moveable',
  reason: 'message because told',
  render: 'picture image graphics',
  replies: 'answers responses script says say lines',
  rooms: 'areas regions zones',
  route: 'path waypoints',
  said: 'says say speaks spoken',
  seed: 'random_seed rng',
  server: 'provider backend engine',
  sight: 'vision view sees view_radius radius range',
  sprite: 'image picture icon texture look looks tile graphic sprites skin avatar',
  state: 'status locked open opened closed is_open is_locked',
  success: 'win won victory goal goals end',
  tell: 'say says message announce print',
  temperature: 'temp',
  terrain: 'ground floor tile',
  text: 'says say content contents reads writing inscription words message reading',
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
  then: 'do effects effect actions action',
  things: 'objects object items item entities props',
  timeout_ms: 'timeout',
  title: 'name',
  triggers: 'events scripts',
  turns: 'rounds',
  walkable: 'passable',
  when: 'event trigger on',
};

const KEYS_BY_SYNONYM: ReadonlyMap<string, readonly string[]> = indexSynonyms();

function indexSynonyms(): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const [key, words] of Object.entries(SYNONYMS))
    for (const word of words.split(' ')) table.set(word, [...(table.get(word) ?? []), key]);
  return table;
}

/**
 * The known key for another word; undefined if there is none. `maxTokens` and `max-tokens` are `max_tokens`.
 */
export function keyForSynonym(word: string, known: readonly string[]): string | undefined {
  const snake = word
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (known.includes(snake)) return snake;
  return KEYS_BY_SYNONYM.get(snake)?.find((key) => known.includes(key));
}
