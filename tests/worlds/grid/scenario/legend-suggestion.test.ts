/** What is suggested for the legend where something has no position: never a character that is taken. */
import { describe, expect, test } from 'vitest';
import { BASE, diagnose } from '../../../scenario/support.js';

describe('a character for the legend', () => {
  const suggestions = (text: string): readonly (string | undefined)[] =>
    diagnose(text)
      .filter(({ message }) => message.includes('has no position'))
      .map(({ suggestion }) => /under legend: (.*)$/.exec(suggestion ?? '')?.[1]);

  test('is one that nothing else uses, and another one for each thing', () => {
    const things = '  kite: {}\n  knot: {}\n  key-2: {}\n';
    const text = `${BASE}npcs: { kobold: {} }\n`
      .replace('things:\n', `things:\n${things}`)
      .replace('doors:\n', 'doors:\n  grate: {}\n')
      .replace('#...#...#\n  ####', '#.K.#...#\n  ####')
      .replace('legend:\n', 'legend:\n  K: wall\n');
    expect(suggestions(text)).toEqual([
      "'/': {door: grate}",
      "'i': {thing: kite}",
      "'n': {thing: knot}",
      "'e': {thing: key-2}",
      "'o': {npc: kobold}",
    ]);
  });

  test('is the one that stands in the map without a meaning, where it looks like it', () => {
    expect(suggestions(BASE.replace('  A: { agent: ann }\n', ''))).toEqual(["'A': {agent: ann}"]);
    expect(suggestions(BASE.replace('  k: { thing: small-key }\n', '').replaceAll('k.#', 'S.#'))).toEqual([
      "'S': {thing: small-key}",
    ]);
    expect(suggestions(BASE.replace('  +: { door: gate }\n', ''))).toEqual(["'+': {door: gate}"]);
  });

  test('is found where letters run out', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789!?$&@^;<>*';
    const more = Array.from(letters, (each) => `  '${each}': floor\n`).join('');
    const text = `title: T\nmap: |\n  ${letters}+\nlegend:\n${more}doors: { gate: {} }\nthings: { key: {} }
agents: [{ id: ann, at: [1, 0], sprite: knight }]\n`;
    const [gate, key] = suggestions(text);
    expect([gate, key]).toEqual(["'+': {door: gate}", expect.stringMatching(/^'[^\x00-\xff]': /)]);
  });
});
