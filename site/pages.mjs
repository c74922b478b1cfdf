/** Which files are pages of the site, where, and in which order. */

/** Pages that lie outside docs/, and where the site has them. */
export const ROOT_PAGES = {
  'ARCHITECTURE.md': 'project/architecture.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'CHANGELOG.md': 'project/changelog.md',
  'assets/README.md': 'reference/tiles.md',
  'examples/python-agent/README.md': 'how-to/python-agent.md',
};

/** Where a page or a picture is on the site, undefined where the site doesn't have it. @param {string} file from the root of the repository */
export function pagePath(file) {
  if (/^docs\/(?:.*\.md|pictures\/.*)$/.test(file)) return file.slice('docs/'.length);
  return ROOT_PAGES[file];
}

/** @param {string} text @param {string} page */
const item = (text, page) => ({ text, link: `/${page}` });

/** Every page of the site but those of decisions, which stand on the index of decisions. */
export const sidebar = [
  {
    text: 'Tutorial',
    items: [item('A scenario, a comparison, a data set', 'TUTORIAL')],
  },
  {
    text: 'How-to guides',
    items: [
      item('Connect a model', 'MODELS'),
      item('Play many runs', 'BATCH'),
      item('Compare players', 'REPORT'),
      item('Make a data set', 'EXPORT'),
      item('Step through a run', 'REPLAY'),
      item('Look at a run in the browser', 'VIEW'),
      item('Choose who decides', 'CONTROLLERS'),
      item('A player in Python', 'how-to/python-agent'),
      item('Use the library', 'LIBRARY'),
      item('Write an environment', 'ENVIRONMENTS'),
    ],
  },
  {
    text: 'Reference',
    items: [
      item('Commands', 'CLI'),
      item('Scenarios', 'SCENARIO'),
      item('Shipped scenarios', 'SCENARIOS'),
      item('Actions', 'ACTIONS'),
      item('The workcell', 'WORKCELL'),
      item('The toolbox', 'TOOLBOX'),
      item('Prompts', 'PROMPTS'),
      item('Protocols', 'PROTOCOLS'),
      item('The log', 'LOG'),
      item('API', 'API'),
      item('Tiles', 'reference/tiles'),
      item('Glossary', 'GLOSSARY'),
    ],
  },
  {
    text: 'Explanation',
    items: [item('Reliability', 'RELIABILITY'), item('Performance', 'PERFORMANCE')],
  },
  {
    text: 'Project',
    items: [
      item('Architecture', 'project/architecture'),
      item('Contributing', 'project/contributing'),
      item('Testing', 'TESTING'),
      item('Style', 'STYLE'),
      item('Changelog', 'project/changelog'),
    ],
  },
];
