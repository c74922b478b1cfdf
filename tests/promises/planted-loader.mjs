/** Module hooks of Node for `planted-child.mjs`: one file is changed as it is loaded. */
let bug = { url: '', find: '', put: '' };

export function initialize(data) {
  bug = data;
}

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (url !== bug.url) return loaded;
  return { ...loaded, source: String(loaded.source).replace(bug.find, () => bug.put) };
}
