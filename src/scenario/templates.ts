/**
 * A scenario's own wording of requests: its files are read, and every placeholder in them must exist, because
 * an unknown one would silently stay empty. Mistakes are reported in the template's file, at its lines. The
 * placeholders: docs/reference/prompts.md.
 */
import { placesIn } from '../base/template.js';
import type { ScenarioFile } from './files.js';
import { besides, readNamed } from './files.js';
import type { MistakeReport } from './report.js';
import type { ScenarioInput } from './schema.js';
import type { SourceText } from './source.js';
import { unlimitedSource } from './source.js';
import { suggest } from './suggest.js';

const TEMPLATES = ['system', 'turn'] as const;
type TemplateName = (typeof TEMPLATES)[number];

/** Placeholders of each template that every environment has; the last three come with aids. */
const PLACES: Readonly<Record<TemplateName, readonly string[]>> = {
  system: ['others', 'picture', 'scenario_rules', 'answer_format', 'name', 'persona', 'goals'],
  turn: ['turn', 'sections', 'actions', 'problem', 'numbers', 'legend', 'snapshot'],
};

/** Placeholders that an agent can hardly do without, and what it would not learn. */
const NEEDED: Readonly<Record<TemplateName, Readonly<Record<string, string>>>> = {
  system: { answer_format: 'how to answer' },
  turn: { actions: 'what it may do', problem: 'why a reply was refused' },
};

interface TemplateReading {
  readonly file: ScenarioFile;
  /** Ids of the sections that the environment's observations have. */
  readonly sections: readonly string[];
  /** Whether turns list the legal actions; if not, a template needs no placeholder for them. */
  readonly offers: boolean;
  /** Whether guided decoding enforces the form of all answers; if so, nobody needs to be told it. */
  readonly isFormEnforced: boolean;
  readonly report: MistakeReport;
}

/** The texts of the templates that a scenario names; every mistake in them is reported. */
export function readTemplates(
  named: ScenarioInput['prompt']['templates'],
  { file, sections, offers, isFormEnforced, report }: TemplateReading,
): Record<string, string> {
  const texts: Record<string, string> = {};
  const dispensable = [...(offers ? [] : ['actions']), ...(isFormEnforced ? ['answer_format'] : [])];
  for (const name of TEMPLATES) {
    const path = named[name];
    if (path === undefined) continue;
    const text = readNamed(file, path, { at: ['prompt', 'templates', name], report });
    if (text === undefined) continue;
    const known = name === 'turn' ? [...PLACES.turn, ...sections] : PLACES.system;
    tellPlaces(unlimitedSource(besides(file.path, path), text), { name, known, dispensable, report });
    texts[name] = text;
  }
  return texts;
}

function tellPlaces(
  source: SourceText,
  {
    name,
    known,
    dispensable,
    report,
  }: Pick<TemplateReading, 'report'> & {
    readonly name: TemplateName;
    readonly known: readonly string[];
    readonly dispensable: readonly string[];
  },
): void {
  const places = placesIn(source.text);
  for (const place of places) {
    if (known.includes(place.name)) continue;
    report.error(
      { source, offset: place.offset },
      `unknown placeholder '${place.name}' in the ${name} template`,
      () => suggest(place.name.trim(), known),
    );
  }
  for (const [needed, what] of Object.entries(NEEDED[name])) {
    if (places.some((place) => place.name === needed) || dispensable.includes(needed)) continue;
    report.warning(
      { source, offset: 0 },
      `the ${name} template lacks {{${needed}}}, so agents are not told ${what}`,
      `write {{${needed}}} on a line of its own`,
    );
  }
}
