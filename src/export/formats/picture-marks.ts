/**
 * Texts that a model's processor may count as the position of a picture, a sound or a video, such as
 * `<image>` or `<|image_pad|>`: in an agent's speech, they would refer to a missing picture. Each family of
 * models spells them differently, so their shape decides, and each such bracket gets a space after it. Tags
 * around calls and reasoning (`<tool_call>`, `<think>`) are kept.
 */

/**
 * One word with the characters that families add before, in and after it: `img_1`, `row_1:col_2`,
 * `begin▁of▁image`, `image 1`.
 */
const WORD = String.raw`\p{L}[\p{L}\p{M}\p{N}_▁.:-]{0,60}(?: \d{1,4})?`;
/**
 * A word between bars is a token of some model, whatever its name: `<|image_1|>`, `<|media_pad|>`,
 * `<｜image｜>`, `<|vision_start>`.
 */
const BARRED = String.raw`[<＜﹤](?=\/?(?:[|｜]\/?${WORD}[|｜]?|${WORD}[|｜])[>＞﹥])`;
/**
 * A word without bars, if it names a medium: `<image>`, `</img>`, `<<IMAGE>>`, `<image_placeholder>`,
 * `<IMG_CONTEXT>`, `<audio_soft_token>`, `<im_patch/>`.
 */
const MEDIUM = String.raw`[\w▁.:-]{0,60}(?:image|img|im_|pict|pixel|patch|vis(?:ion|ual)|video|frame|media|audio|sound|speech)`;
const BARE = String.raw`[<＜﹤](?=[<＜﹤]?\/?(?=${MEDIUM})${WORD} ?\/?[>＞﹥])`;
/** Capitals in square brackets: `[IMG]`, `[IMG_END]`, `[IMAGE 1]`, `[INST]`. */
const SQUARED = String.raw`\[(?=\/?[A-Z][A-Z\d_]{1,60}(?: \d{1,4})?\])`;
const MARK = new RegExp(`${BARRED}|${BARE}`, 'giu');
const CAPITALS = new RegExp(SQUARED, 'g');

export function withoutPictureMarks(text: string): string {
  return text.replace(MARK, '$& ').replace(CAPITALS, '$& ');
}
