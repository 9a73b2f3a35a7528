/** How many tokens a text has, about. */

/**
 * An estimate, right within a quarter for English, Chinese, Japanese and code. A tokenizer's tables would take longer to
 * load than everything else here, and the API's own tokenizer is not public.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

/** As much of the beginning as has no more tokens; of a text that has any, at least its first piece. */
export function firstTokens(text: string, most: number): string {
  let tokens = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    tokens += tokensOf(piece);
    if (index > 0 && Math.ceil(tokens) > most) return text.slice(0, index);
  }
  return text;
}

/** Words with the space before them, groups of digits, runs of spaces and of signs, words and characters of other scripts. */
const PIECES = / ?[A-Za-z\u00c0-\u024f]+|\d{1,3}|\s+|[!-/:-@[-`{-~]+|[\u0370-\u052f]+|./gsu;

function tokensOf(piece: string): number {
  const first = piece.charCodeAt(piece.length > 1 && piece.startsWith(" ") ? 1 : 0);
  if (isLatin(first)) return Math.max(1, piece.length / 6);
  if (first >= 0x30 && first <= 0x39) return 1; // digits
  if (piece.trim() === "") return piece === " " ? 0.2 : 1;
  if (first < 0x80) return Math.max(0.9, piece.length / 4); // signs
  if (first >= 0x3040 && first <= 0x9fff) return 0.9; // kana, Chinese characters
  return piece.length / (first >= 0x370 && first <= 0x52f ? 3 : 1); // Greek and Cyrillic; all else
}

function isLatin(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0xc0 && code <= 0x24f);
}
