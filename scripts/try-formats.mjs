// Plays 60 runs of the shipped scenarios and a fork of each that can be parted, exports them as every format, and has each read by a reader of its own:
// Python's (`node scripts/python-readers.mjs` makes them) or DuckDB. Prints what was written and what was found. Needs `npm run build`; ends with 1 where they differ.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { readersPython } from './lib/python-readers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-formats-'));
const python = readersPython();
const TURNS_MAX = '25';
/**
 * The readers' progress bars are not shown.
 * @type {import('node:child_process').ExecFileSyncOptionsWithStringEncoding}
 */
const OF_READERS = { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] };
/** Three runs of each scenario by the player that wants to win, two by the one that wants nothing. */
const PLAYERS = ['scripted', 'scripted', 'scripted', 'random', 'random'];
const BY_PYTHON = [
  'openai',
  'trl',
  'llava',
  'llama-factory',
  'imagefolder',
  'parquet',
  'webdataset',
  'coco',
  'preference',
];
const BY_DUCKDB = ['jsonl', 'labels', 'qa', 'tables'];

/** What a command printed; 1 is a run that failed, which counts as any other. @param {string[]} args */
function orchestrate(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

function play() {
  const logs = [];
  let runs = 0;
  for (const file of readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.yaml'))) {
    const log = join(folder, `${basename(file, '.yaml')}.sqlite`);
    PLAYERS.forEach((player, i) => {
      const words = ['--controller', player, '--seed', String(i + 1), '--max-turns', TURNS_MAX];
      orchestrate('run', `scenarios/${file}`, ...words, '--out', log, '--quiet');
      runs += 1;
    });
    runs += fork(log, file === 'files.yaml' ? ['--root', 'scenarios/files'] : []);
    logs.push(log);
  }
  return { logs, runs };
}

/** Parts the log's first run at its first step by another reply; how many runs that made. @param {string} log @param {string[]} words */
function fork(log, words) {
  const { runs } = JSON.parse(orchestrate('show', log, '--tree', '--json'));
  const address = `${log}#${runs[0].run_id}`;
  try {
    orchestrate('fork', address, '--at', '1', '--reply', 'ACTION: WAIT', ...words, '--quiet');
    return 1;
  } catch {
    // Who acts at once with others can't be parted alone.
    return 0;
  }
}

/** Whether DuckDB reads it. @param {{ name: string }} file */
const isTable = ({ name }) => /\.(jsonl|parquet)$/.test(name);

/** @param {string} sql */
async function duck(sql) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjects();
  connection.closeSync();
  return rows;
}

/** Rows and pictures that a format's own reader finds. @param {string} format @param {string} out @param {{ name: string, rows: number | null }[]} files */
async function found(format, out, files) {
  if (BY_PYTHON.includes(format)) {
    const words = [join(root, 'tests', 'export', 'readers.py'), format, out];
    /** @type {{ images: string[], marks: number }[]} */
    const rows = JSON.parse(execFileSync(python ?? '', words, OF_READERS));
    return { rows: rows.length, pictures: rows.reduce((sum, { images }) => sum + images.length, 0) };
  }
  if (format === 'frames') {
    const names = readdirSync(out, { recursive: true }).filter((name) => /.[\\/].*\.png$/.test(String(name)));
    return { rows: names.length, pictures: names.length };
  }
  let rows = 0;
  for (const { name } of files.filter(isTable)) {
    const from = name.endsWith('.parquet') ? 'read_parquet' : 'read_json_auto';
    const [sum] = await duck(`SELECT count(*) AS rows FROM ${from}('${join(out, name)}')`);
    rows += Number(sum?.['rows']);
  }
  return { rows, pictures: null };
}

if (python === null) throw new Error('the Python readers are missing: node scripts/python-readers.mjs');
let differ = false;
try {
  const { logs, runs } = play();
  console.log(`${runs} runs in ${logs.length} logs\n`);
  console.log('| format | rows written | rows read | pictures written | pictures read | files |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const format of [...BY_PYTHON, ...BY_DUCKDB, 'frames']) {
    const out = join(folder, format);
    const told = JSON.parse(orchestrate('export', ...logs, '--format', format, '--out', out, '--json'));
    const read = await found(format, out, told.files);
    const rows = BY_DUCKDB.includes(format)
      ? told.files.filter(isTable).reduce((sum, file) => sum + file.rows, 0)
      : told.rows;
    const isSame = read.rows === rows && (read.pictures === null || read.pictures === told.pictures);
    differ ||= !isSame || rows === 0;
    const cells = [format, rows, read.rows, told.pictures, read.pictures ?? '', told.files.length];
    console.log(`| ${cells.join(' | ')} |${isSame ? '' : ' DIFFERS'}`);
    rmSync(out, { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = differ ? 1 : 0;
