/**
 * Every limit on what comes from outside, in one table, each with a test at its edge (promise 7).
 * Sizes are bytes unless the name says otherwise; texts are counted in code points.
 */
export const LIMITS = {
  /** scenario */
  scenarioBytes: 4_000_000,
  yamlLineBytes: 20_000,
  yamlLines: 60_000,
  yamlDepth: 40,
  /** Words, marks and line ends that the YAML lexer counts; a map is one of them. */
  yamlTokens: 150_000,
  /** Values after aliases were followed. */
  yamlValues: 200_000,
  mapSideTiles: 1000,
  /** Of a made map; corridors come on top. */
  generatedRooms: 400,
  agents: 256,
  npcs: 256,
  things: 10_000,
  rooms: 1000,
  terrain: 256,
  legend: 1000,
  doors: 2000,
  /** A workcell: faults of its car, spares on its shelf, robots that find room at one side. */
  carFaults: 8,
  spares: 10,
  robots: 4,
  nameCharacters: 60,
  /** Tags of an agent. */
  tags: 16,
  /** What a controller of a served entity calls itself. */
  controllerNameCharacters: 200,
  personaCharacters: 8000,
  goalCharacters: 2000,
  goals: 32,
  turns: 100_000,
  templateBytes: 64_000,
  conditionDepth: 8,
  settingCharacters: 2000,
  /** Entries of a fixed list of all actions. */
  actionSpace: 4096,
  /** The largest amount that one key of `rewards` pays. */
  reward: 1_000_000,
  /** Of a server's sampler, which takes signed integers of 32 bits. */
  samplingSeed: 2_147_483_647,
  diagnosticsPrinted: 200,
  /** A module that can't be read and those that it imports, each looked through for the mistake. */
  checkedModules: 24,
  triggers: 1000,
  triggerEffects: 32,
  /** Triggers that fire one upon another after one act; what is beyond waits for another occasion. */
  triggerFirings: 64,
  /** A batch: what it multiplies, and runs and servers at once. */
  batchScenarios: 1000,
  batchSettings: 64,
  batchRuns: 100_000,
  batchParallel: 512,
  batchWorkers: 64,
  batchServers: 64,
  batchPatienceSeconds: 86_400,
  /** sight and frames */
  sightRadiusTiles: 32,
  frameSideTiles: 63,
  frameTilePixels: 64,
  tilesetBytes: 8_000_000,
  tilesetSidePixels: 4096,
  tilesetColours: 1_000_000,
  tilesetTiles: 65_536,
  tilesetDescriptionCharacters: 200,
  /** The largest number of a skin. */
  skinNumber: 999,
  tilesetManifestBytes: 2_000_000,
  previewSidePixels: 4096,
  /** A film: the side that its pictures keep to where tiles can be made smaller, and how many pictures it has. */
  filmSidePixels: 1280,
  filmFrames: 20_000,
  /**
   * A page: the runs on it, the map that it shows as a whole, and the agents whose views are recomputed with
   * every step.
   */
  pageRuns: 64,
  pageMapTiles: 40_000,
  pageEyes: 16,
  /** Of a Parquet file that a page is made of. */
  tableBytes: 500_000_000,
  /** Its server: a request's head, connections at once, of an answer about so much data, and the time that a client has to take it. */
  pageRequestBytes: 8192,
  pageConnections: 64,
  pageAnswerBytes: 8_000_000,
  pageAnswerMs: 20_000,
  /** A person's word on a step, as it is sent to it: a mark of the greatest length, each unit escaped. */
  pageMarkBytes: 400_000,
  /** replies */
  replyBytes: 1_000_000,
  /** What a server answered besides the words, as JSON. */
  replyRawBytes: 2_000_000,
  /** An agent sees this many of the last UTF-16 units of its failed reply. */
  replyTailUnits: 600,
  replyQuotedCharacters: 300,
  replyCandidates: 64,
  /** Of a reply without its reasoning, in UTF-16 units; longer ones are not read. */
  answerCharacters: 65_536,
  /** Of the line that holds the command; speech is shorter, names are too. */
  commandLineCharacters: 4_000,
  /** Of a line that a person types, in UTF-16 units. */
  typedLineCharacters: 8_000,
  /** Marks of reasoning and of turns in a reply; one with more holds no answer. */
  replyMarks: 256,
  argumentCharacters: 400,
  /** a turn */
  attempts: 10,
  freeActs: 16,
  /** Of an unreadable reply, counted from its end, as it is shown again: characters in UTF-16 units. */
  repairedCharacters: 4000,
  /** what an agent keeps for itself */
  noteCharacters: 300,
  notes: 100,
  summaryCharacters: 4000,
  /** What an earlier run left to an agent, as a file. */
  keptBytes: 1_000_000,
  /** Of a scenario's name in the name of a file, which has a run's or an agent's id and an ending behind it: 255 in all. */
  fileNameBytes: 200,
  /** questions beside the game */
  questionCharacters: 2000,
  probedSteps: 1000,
  probesEach: 8,
  /** speech */
  utteranceCharacters: 500,
  inboxUtterances: 64,
  /** Lines heard or read that an agent may go back to. */
  recalledLines: 16,
  /** what memory shows: things out of sight, and tiles searched for the nearest unexplored ones */
  rememberedThings: 32,
  noticedLines: 24,
  frontierTiles: 1024,
  /** an agent's own program: a line that it writes, and the stored and shown part of its standard error */
  programLineBytes: 4_000_000,
  programErrorBytes: 1_000_000,
  programLastWordsCharacters: 300,
  programStartMs: 30_000,
  programReplyMs: 3_600_000,
  /** After "end"; then it is killed. */
  programEndMs: 2000,
  /** In a run, for each program. */
  programRestarts: 10,
  /** tools: what the calculator takes, a power's exponent and the digits of every number on the way */
  expressionCharacters: 200,
  expressionExponent: 1000,
  expressionDigits: 300,
  /** what is looked up */
  knowledgeEntries: 500,
  knowledgeCharacters: 2000,
  searchHits: 8,
  questions: 100,
  queryCharacters: 200,
  finalAnswerCharacters: 1000,
  /** files of a folder, as an agent gets them */
  pathCharacters: 300,
  fileBytes: 1_000_000,
  fileLines: 80,
  fileLineCharacters: 240,
  folderEntries: 200,
  folderDepth: 8,
  searchedFiles: 500,
  searchedLines: 40,
  /** tools of the user's own */
  ownTools: 32,
  toolParameters: 8,
  toolOutputCharacters: 4000,
  /** Where custom code threw an error, and its message. */
  traceCharacters: 4000,
  toolTimeoutMs: 30_000,
  /** model server */
  responseBytes: 8_000_000,
  retryAfterMs: 60_000,
  requestTimeoutMs: 3_600_000,
  retries: 10,
  /** logs, which may come from strangers: one stored text or picture, and the side of one that was sent */
  logBlobBytes: 268_435_456,
  logFrameSidePixels: 4160,
  /** Of each of two values that differ, as they are reported: UTF-16 units of JSON. */
  differenceCharacters: 400,
  /** Replies read again: rows of the sum (models, protocols, rules), and what an example shows, in UTF-16 units. */
  reparseRows: 200,
  reparseExcerptUnits: 240,
  /**
   * Two runs compared: how many setup differences are listed, how many per list of world differences, and
   * moments after the divergence.
   */
  setupDifferences: 12,
  worldDifferences: 40,
  diffMoments: 1000,
  /** An export: characters of a condition, in UTF-16 units, how much larger or smaller pictures are made, rows of one file. */
  whereCharacters: 2000,
  /** What people say of steps: UTF-16 units of one mark, and a log's marks in all. */
  markCharacters: 65_536,
  marksBytes: 100_000_000,
  exportScale: 8,
  exportShardRows: 1_000_000,
  serverWordsCharacters: 500,
  serverModels: 5000,
  toolCalls: 64,
  /** For a reply that is compared with its guided form: characters in UTF-16 units. */
  guidedCharacters: 20_000,
  probeTimeoutMs: 5000,
  envFileBytes: 64_000,
} as const;
