/**
 * Control characters, those that turn the direction of others, those that show nothing, and halves of a pair; not what joins
 * letters or pictures where a script or a picture is written so, nor what chooses the look of a picture.
 */
export const UNSEEN =
  /(?<![\p{Script=Arabic}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])\p{Join_Control}|(?<!\p{Emoji})(?:\ufe0e|\ufe0f)|(?!\p{Join_Control}|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text in which what nobody could see is written out, such as `⟨U+202E⟩`; a line's end is `⏎`. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return '⏎'
    return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
