/**
 * What processors of models count as the place of a picture where it stands in a text, such as `<image>` or `<|image_pad|>`: said by an agent it would make
 * them look for a picture that there is none of. In: a text; out: the same with a space behind the bracket of each.
 */

const NAMES = [
  'image',
  'video',
  'audio',
  'img',
  'IMG_CONTEXT',
  'image_soft_token',
  'start_of_image',
  'end_of_image',
  'fake_token_around_image',
  'global-img',
  String.raw`\|(?:image|video|audio|vision)(?:_[a-z]+)?\|`,
];
const MARK = new RegExp(String.raw`<(?=(?:${NAMES.join('|')})>)|\[(?=IMG(?:_BREAK|_END)?\])`, 'g');

export function withoutPictureMarks(text: string): string {
  return text.replace(MARK, (bracket) => `${bracket} `);
}
