/** Which files are pages of the site, where, and in which order. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

/** Pages that lie outside docs/, and where the site has them. */
export const ROOT_PAGES = {
  'ARCHITECTURE.md': 'project/architecture.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'CHANGELOG.md': 'project/changelog.md',
  'bench/results/performance.md': 'project/measurements-of-speed.md',
  'bench/results/reliability.md': 'project/measurements-of-reliability.md',
  'assets/README.md': 'reference/tiles.md',
  'examples/python-agent/README.md': 'how-to/python-agent.md',
  'python/README.md': 'reference/python.md',
};

/** Where a page or a picture is on the site, undefined where the site doesn't have it. @param {string} file from the root of the repository */
export function pagePath(file) {
  if (/^docs\/(?:.*\.md|pictures\/.*)$/.test(file)) return file.slice('docs/'.length);
  return ROOT_PAGES[file];
}

/** @param {string} text @param {string} page */
const item = (text, page) => ({ text, link: `/${page}` });

/** Every decision, in its order, under its own title. */
function decisions() {
  return readdirSync(`${DOCS}/decisions`)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const [, title = name] = /^# (.+)$/m.exec(readFileSync(`${DOCS}/decisions/${name}`, 'utf8')) ?? [];
      return item(title, `decisions/${name.replace(/\.md$/, '')}`);
    });
}

/** Every page of the site; a test holds that none is missing. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      item('Start here', 'index'),
      item('A scenario, a comparison, a data set', 'tutorial/scenario-comparison-data-set'),
    ],
  },
  {
    text: 'How-to guides',
    items: [
      item('Install', 'how-to/install'),
      item('Check a scenario', 'how-to/check-a-scenario'),
      item('Connect a model', 'how-to/connect-a-model'),
      item('Play many runs', 'how-to/play-many-runs'),
      item('Use a queue', 'how-to/use-a-queue'),
      item('Compare players', 'how-to/compare-players'),
      item('Play with an agent harness', 'how-to/play-with-a-harness'),
      item('Remember pictures', 'how-to/remember-pictures'),
      item('Make a data set', 'how-to/make-a-data-set'),
      item('Resume and fork runs', 'how-to/resume-and-fork'),
      item('Step through a run', 'how-to/step-through-a-run'),
      item('View a run in the browser', 'how-to/view-a-run'),
      item('Choose who decides', 'how-to/choose-who-decides'),
      item('A player in Python', 'how-to/python-agent'),
      item('Serve a world', 'how-to/serve-a-world'),
      item('Run in a container', 'how-to/run-in-a-container'),
      item('Close the loop', 'how-to/close-the-loop'),
      item('Train in a world', 'how-to/train'),
      item('Use the library', 'how-to/use-the-library'),
      item('Write an environment', 'how-to/write-an-environment'),
      item('Run the tests', 'how-to/run-the-tests'),
      item('Release a version', 'how-to/release'),
    ],
  },
  {
    text: 'Reference',
    items: [
      item('Commands', 'reference/commands'),
      item('Scenario format', 'reference/scenario-format'),
      item('Batch file', 'reference/batch-file'),
      item('Controllers', 'reference/controllers'),
      item('Serving API', 'reference/serving'),
      item('Python package', 'reference/python'),
      item('Models and servers', 'reference/models'),
      item('Data sets', 'reference/data-sets'),
      item('Shipped scenarios', 'reference/shipped-scenarios'),
      item('Actions', 'reference/actions'),
      item('The workcell', 'reference/workcell'),
      item('The toolbox', 'reference/toolbox'),
      item('Prompts', 'reference/prompts'),
      item('Protocols', 'reference/protocols'),
      item('The log', 'reference/log'),
      item('Library', 'reference/library'),
      item('API', 'reference/api'),
      item('Tiles', 'reference/tiles'),
      item('Glossary', 'reference/glossary'),
      item('Style', 'reference/style'),
    ],
  },
  {
    text: 'Explanation',
    items: [
      item('Visibility', 'explanation/visibility'),
      item('Determinism', 'explanation/determinism'),
      item('Reading replies', 'explanation/reading-replies'),
      item('Statistics', 'explanation/statistics'),
      item('Reliability', 'explanation/reliability'),
      item('Performance', 'explanation/performance'),
      item('Very many runs', 'explanation/scale'),
    ],
  },
  {
    text: 'Project',
    items: [
      item('Architecture', 'project/architecture'),
      item('Contributing', 'project/contributing'),
      item('Measurements of speed', 'project/measurements-of-speed'),
      item('Measurements of reliability', 'project/measurements-of-reliability'),
      item('Changelog', 'project/changelog'),
      { text: 'Decisions', collapsed: true, items: decisions() },
    ],
  },
];
