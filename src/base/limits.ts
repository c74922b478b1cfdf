/**
 * Limits on everything that comes from outside, in one table, each with a test at its edge. Sizes are in
 * bytes unless the name says otherwise; texts are counted in code points.
 */
export const LIMITS = {
  /** Limits of a scenario. */
  scenarioBytes: 4_000_000,
  yamlLineBytes: 20_000,
  yamlLines: 60_000,
  yamlDepth: 40,
  /** The number of words, marks and line ends that the YAML lexer counts; a map is one of them. */
  yamlTokens: 150_000,
  /** The number of values after aliases are resolved. */
  yamlValues: 200_000,
  mapSideTiles: 200,
  /** Coordinates are below this whatever the map, because logs of earlier programs have maps of this size. */
  coordinateTiles: 1000,
  /** The number of rooms on a generated map, not counting corridors. */
  generatedRooms: 400,
  agents: 256,
  npcs: 256,
  things: 10_000,
  rooms: 1000,
  terrain: 256,
  legend: 1000,
  doors: 2000,
  /** A workcell: faults of its car, spares on its shelf, robots that fit on one side. */
  carFaults: 8,
  spares: 10,
  robots: 4,
  nameCharacters: 60,
  /** The number of an agent's tags. */
  tags: 16,
  /** The length of the name under which a program takes a lease on an entity. */
  controllerNameCharacters: 200,
  personaCharacters: 8000,
  goalCharacters: 2000,
  goals: 32,
  turns: 100_000,
  templateBytes: 64_000,
  conditionDepth: 8,
  settingCharacters: 2000,
  /** The number of entries in a fixed list of all actions. */
  actionSpace: 4096,
  /** The largest reward that one key of `rewards` can pay. */
  reward: 1_000_000,
  /** The highest seed for a server's sampler, which takes signed 32-bit integers. */
  samplingSeed: 2_147_483_647,
  diagnosticsPrinted: 200,
  /**
   * The number of modules that are searched for the mistake if a module, or one that it imports, can't be
   * loaded.
   */
  checkedModules: 24,
  /**
   * Draws: their number, the values of one, the length of a value, combinations that are listed, and those of draws
   * in an agent's goals that are compared with what it was told.
   */
  draws: 64,
  drawValues: 256,
  drawnCharacters: 400,
  drawCombinations: 256,
  drawsRead: 50_000,
  /** Steps that a search tries if nobody says otherwise, which takes a few seconds. */
  searchedSteps: 10_000,
  triggers: 1000,
  triggerEffects: 32,
  /** Triggers that fire one after another after one act; further ones wait for the next occasion. */
  triggerFirings: 64,
  /** A batch: the factors of its plan, and the numbers of simultaneous runs and servers. */
  batchScenarios: 1000,
  batchSettings: 64,
  batchRuns: 100_000,
  batchFileBytes: 100_000_000,
  batchParallel: 512,
  batchWorkers: 64,
  batchShards: 10_000,
  batchServers: 64,
  /** Limits of a worker's lock and checkpoints. */
  queueSeconds: 86_400,
  batchPatienceSeconds: 86_400,
  /** Limits of sight and frames. */
  sightRadiusTiles: 32,
  frameSideTiles: 63,
  frameTilePixels: 64,
  tilesetBytes: 8_000_000,
  tilesetSidePixels: 4096,
  tilesetColours: 1_000_000,
  tilesetTiles: 65_536,
  tilesetDescriptionCharacters: 200,
  /** The highest number of a skin. */
  skinNumber: 999,
  tilesetManifestBytes: 2_000_000,
  previewSidePixels: 4096,
  /** A film: the maximum side of its pictures if tiles can be made smaller, and the number of pictures. */
  filmSidePixels: 1280,
  filmFrames: 20_000,
  /**
   * A page: its runs, the largest map that it shows as a whole, and the agents whose views are recomputed at
   * every step.
   */
  pageRuns: 64,
  pageMapTiles: 40_000,
  pageEyes: 16,
  /** The size of a Parquet file from which a page is made. */
  tableBytes: 500_000_000,
  /**
   * The page's server: the head of a request, the number of connections, the bytes of an answer, and the time
   * that a client has to receive it.
   */
  pageRequestBytes: 8192,
  pageConnections: 64,
  pageAnswerBytes: 8_000_000,
  pageAnswerMs: 20_000,
  /** Connections to a served world. */
  servedConnections: 512,
  /** A message of a served world, as the server sends and its clients accept it. */
  servedMessageBytes: 4 * 1024 * 1024,
  /** The maximum number of steps of a continued run that are read again for its figures. */
  figuresRereadSteps: 10_000,
  /** A mark on a step as sent to the server: the longest mark, with each unit escaped. */
  pageMarkBytes: 400_000,
  /** Limits of replies. */
  replyBytes: 1_000_000,
  /** The size of the parts of a server's answer besides the text, as JSON. */
  replyRawBytes: 2_000_000,
  /** The number of UTF-16 units from the end of its failed reply that an agent is shown. */
  replyTailUnits: 600,
  replyQuotedCharacters: 300,
  replyCandidates: 64,
  /** The length of a reply without its reasoning, in UTF-16 units; longer replies are not parsed. */
  answerCharacters: 65_536,
  /** The length of the line with the command; the limits for speech and names are lower. */
  commandLineCharacters: 4_000,
  /** The length of a line that a person types, in UTF-16 units. */
  typedLineCharacters: 8_000,
  /** The number of reasoning tags and turn tags in a reply; a reply with more has no answer. */
  replyMarks: 256,
  argumentCharacters: 400,
  /** Limits of a turn. */
  attempts: 10,
  freeActs: 16,
  /** The length of the end of an unreadable reply that is shown again, in UTF-16 units. */
  repairedCharacters: 4000,
  /** Limits of an agent's memory. */
  noteCharacters: 300,
  notes: 100,
  summaryCharacters: 4000,
  /** The size of a file with the memories that an earlier run stored for an agent. */
  keptBytes: 1_000_000,
  /**
   * The length of a scenario's name within a file name, which also contains the id of a run or agent and an
   * extension and may have 255 bytes in total.
   */
  fileNameBytes: 200,
  /** Limits of questions outside the game. */
  questionCharacters: 2000,
  probedSteps: 1000,
  probesEach: 8,
  probesAsked: 64,
  neededFacts: 64,
  /** Limits of speech. */
  utteranceCharacters: 500,
  inboxUtterances: 64,
  /** The number of lines, heard or read, that an agent can still refer to. */
  recalledLines: 16,
  /** The number of past pictures in one request. */
  memoryPictures: 16,
  /** Limits of knowledge: things out of sight, and tiles searched for the nearest unexplored ones. */
  rememberedThings: 32,
  noticedLines: 24,
  frontierTiles: 1024,
  /**
   * Limits of an agent's own program: a line of its output, and the stored and shown parts of its standard
   * error.
   */
  programLineBytes: 4_000_000,
  programErrorBytes: 1_000_000,
  programLastWordsCharacters: 300,
  programStartMs: 30_000,
  programReplyMs: 3_600_000,
  /** The time that a program has to end after "end"; then it is killed. */
  programEndMs: 2000,
  /** The number of restarts of each program in a run. */
  programRestarts: 10,
  /** The keys of facts that `prompt.snapshot` may name. */
  snapshotKeys: 64,
  /** The program and its arguments in a runner's file. */
  programWords: 64,
  /** The restarts within a window, and the waits between them, that a runner's file may set. */
  runnerRestarts: 1000,
  runnerWaitMs: 3_600_000,
  /**
   * Limits of tools: the input of the calculator, the exponent of a power and the digits of every
   * intermediate number.
   */
  expressionCharacters: 200,
  expressionExponent: 1000,
  expressionDigits: 300,
  /** Limits of the entries that SEARCH finds. */
  knowledgeEntries: 500,
  knowledgeCharacters: 2000,
  searchHits: 8,
  questions: 100,
  queryCharacters: 200,
  finalAnswerCharacters: 1000,
  /** Limits of the files of a folder, as an agent gets them. */
  pathCharacters: 300,
  fileBytes: 1_000_000,
  fileLines: 80,
  fileLineCharacters: 240,
  folderEntries: 200,
  folderDepth: 8,
  searchedFiles: 500,
  searchedLines: 40,
  /** Limits of custom tools. */
  ownTools: 32,
  toolParameters: 8,
  toolOutputCharacters: 4000,
  /** The lengths of the position and the message of an error in custom code. */
  traceCharacters: 4000,
  toolTimeoutMs: 30_000,
  /** Limits of a model server. */
  responseBytes: 8_000_000,
  retryAfterMs: 60_000,
  requestTimeoutMs: 3_600_000,
  retries: 10,
  /**
   * A server that fails at so many of an agent's requests in a row, or gives no answer in so many of its turns
   * in a row, can't be used, whatever else it answers.
   */
  unansweredInARow: 3,
  /**
   * Limits of logs, which may come from untrusted sources: one stored text or picture, and the side of a
   * picture that was sent.
   */
  logBlobBytes: 268_435_456,
  logFrameSidePixels: 4160,
  /** The length of each of two different values in a report, in UTF-16 units of JSON. */
  differenceCharacters: 400,
  /**
   * Replies parsed again: rows of the summary (models, protocols, rules), and the length of an example, in
   * UTF-16 units.
   */
  reparseRows: 200,
  reparseExcerptUnits: 240,
  /**
   * Two runs compared: listed differences of the setup and of the world, and moments after the divergence.
   */
  setupDifferences: 12,
  worldDifferences: 40,
  diffMoments: 1000,
  /** An export: characters of a condition, in UTF-16 units, the largest scale of pictures, rows per file. */
  whereCharacters: 2000,
  /** People's marks: UTF-16 units of one mark, and the size of all marks of a log. */
  markCharacters: 65_536,
  marksBytes: 100_000_000,
  exportScale: 8,
  exportShardRows: 1_000_000,
  serverWordsCharacters: 500,
  serverModels: 5000,
  toolCalls: 64,
  /** The length of a reply that is compared with its guided form, in UTF-16 units. */
  guidedCharacters: 20_000,
  probeTimeoutMs: 5000,
  envFileBytes: 64_000,
} as const;
