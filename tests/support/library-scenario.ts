/** A scenario in the library: the reader looks one entry up and answers. */
export const LIBRARY_YAML = `title: The Question
environment: library
seed: 4
question: Which colour has the sky?
answer: blue
turns: { max: 5 }
agents:
  - id: reader
    persona: You read.
    replies:
      - 'ACTION: LOOKUP "sky"'
      - 'ACTION: ANSWER "blue"'
`;
