/**
 * Reads a scenario's own prompt templates. Every placeholder in them must exist, because an unknown one would
 * silently stay empty. Mistakes are reported at their lines of the template's file. The placeholders:
 * docs/reference/prompts.md.
 */
import { placeholdersIn } from '../base/template.js';
import type { ScenarioFile } from './files.js';
import { siblingPath, readNamedFile } from './files.js';
import type { MistakeReport } from './report.js';
import type { ScenarioInput } from './schema.js';
import type { SourceText } from './source.js';
import { unlimitedSource } from './source.js';
import { suggest } from './suggest.js';

const TEMPLATES = ['system', 'turn'] as const;
type TemplateName = (typeof TEMPLATES)[number];

/**
 * The placeholders of each template in every environment; the last three belong to settings of `render` and
 * `prompt`.
 */
const PLACEHOLDERS: Readonly<Record<TemplateName, readonly string[]>> = {
  system: ['others', 'picture', 'scenario_rules', 'answer_format', 'name', 'persona', 'goals'],
  turn: ['turn', 'sections', 'actions', 'problem', 'numbers', 'legend', 'snapshot'],
};

/** Placeholders that an agent can hardly do without, and what agents are not told without them. */
const NEEDED_PLACEHOLDERS: Readonly<Record<TemplateName, Readonly<Record<string, string>>>> = {
  system: { answer_format: 'how to answer' },
  turn: { actions: 'what it may do', problem: 'why a reply was refused' },
};

interface TemplateReading {
  file: ScenarioFile;
  /** Ids of the sections that the environment's observations have. */
  sections: readonly string[];
  /** Whether turns list the legal actions; if not, a template needs no placeholder for them. */
  offers: boolean;
  /** Whether guided decoding enforces the form of all answers; if so, agents need no instructions on it. */
  isFormEnforced: boolean;
  report: MistakeReport;
}

/** The texts of the templates that a scenario names; every mistake in them is reported. */
export function readTemplates(
  paths: ScenarioInput['prompt']['templates'],
  { file, sections, offers, isFormEnforced, report }: TemplateReading,
): Record<string, string> {
  const texts: Record<string, string> = {};
  const optional = [...(offers ? [] : ['actions']), ...(isFormEnforced ? ['answer_format'] : [])];
  for (const name of TEMPLATES) {
    const path = paths[name];
    if (path === undefined) continue;
    const text = readNamedFile(file, path, { at: ['prompt', 'templates', name], report });
    if (text === undefined) continue;
    const known = name === 'turn' ? [...PLACEHOLDERS.turn, ...sections] : PLACEHOLDERS.system;
    reportPlaceholders(unlimitedSource(siblingPath(file.path, path), text), {
      name,
      known,
      optional,
      report,
    });
    texts[name] = text;
  }
  return texts;
}

function reportPlaceholders(
  source: SourceText,
  {
    name,
    known,
    optional,
    report,
  }: Pick<TemplateReading, 'report'> & {
    name: TemplateName;
    known: readonly string[];
    optional: readonly string[];
  },
): void {
  const placeholders = placeholdersIn(source.text);
  for (const placeholder of placeholders) {
    if (known.includes(placeholder.name)) continue;
    report.error(
      { source, offset: placeholder.offset },
      `unknown placeholder '${placeholder.name}' in the ${name} template`,
      () => suggest(placeholder.name.trim(), known),
    );
  }
  for (const [neededName, missingInformation] of Object.entries(NEEDED_PLACEHOLDERS[name])) {
    if (placeholders.some((placeholder) => placeholder.name === neededName) || optional.includes(neededName))
      continue;
    report.warning(
      { source, offset: 0 },
      `the ${name} template lacks {{${neededName}}}, so agents are not told ${missingInformation}`,
      `write {{${neededName}}} on a line of its own`,
    );
  }
}
